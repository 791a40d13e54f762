import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/**
 * A status is named by its application's id alone, and nothing is left that was made of an applicant's address.
 *
 * A key that was made of vacancy and address becomes that id, which the row has as its platform id: what was sent stays sent,
 * and a query that names the application finds its row with the same hash. The findings of a sweep that is under way go: it
 * fails, and the next one finds the same. Samples of a hold name keys.
 *
 * `job_application.statement_ran` said whether `webhook.sql` ran, which a trigger of the partner replaces.
 */
const UP = [
  `update :schema:.sync_state set key = cast(platform_id as text)
   where entity = 'application-statuses' and lower(key) <> cast(platform_id as text)`,
  `delete from :schema:.staged_finding where entity = 'application-statuses'`,
  `update :schema:.entity_state set
     hold = cast(regexp_replace(cast(hold as text), :digest, :blank, 'g') as jsonb),
     push_hold = cast(regexp_replace(cast(push_hold as text), :digest, :blank, 'g') as jsonb)
   where entity = 'application-statuses'`,
  'drop index :schema:.job_application_applicant',
  'alter table :schema:.job_application drop column address_hash, drop column statement_ran',
  'alter table :schema:.sync_state drop column address_hash',
  'drop table :schema:.address_secret',
];

export async function up(knex: Knex, schema: string): Promise<void> {
  const bindings = { schema, digest: ':[0-9a-f]{64}', blank: ':…' };
  for (const statement of UP) await knex.raw(statement, bindings);
}

/** With another secret, so the version before makes other keys; it knows each status by its platform id. */
export async function down(knex: Knex, schema: string): Promise<void> {
  for (const statement of DOWN) await knex.raw(statement, { schema });
  const secret = Buffer.alloc(64);
  randomBytes(32).copy(secret);
  await knex.raw('insert into :schema:.address_secret (inner_pad, outer_pad) values (:inner, :outer)', {
    schema,
    inner: Buffer.from(secret.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(secret.map((byte) => byte ^ 0x5c)),
  });
}

const DOWN = [
  `create table :schema:.address_secret (
     only_row  boolean primary key default true check (only_row),
     inner_pad bytea   not null,
     outer_pad bytea   not null
   )`,
  'alter table :schema:.job_application add column address_hash text, add column statement_ran boolean',
  `create index job_application_address_hash on :schema:.job_application (address_hash, vacancy_key)
   where address_hash is not null`,
  `create index job_application_applicant on :schema:.job_application (vacancy_key, lower(email))
   where application_ref is not null`,
  'alter table :schema:.sync_state add column address_hash text',
  `create index sync_state_address_hash on :schema:.sync_state (address_hash) where address_hash is not null`,
];
