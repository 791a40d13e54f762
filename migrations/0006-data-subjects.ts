import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/**
 * What the requests of applicants need.
 *
 * `address_secret`: one row, the secret of this schema in the form that HMAC-SHA256 uses it in: 64 bytes, combined with
 * 0x36 and with 0x5c. A status that is named by vacancy and e-mail address has the key `vacancy_key:HMAC(secret, md5 of the
 * address)`. The keys of before, which end with that md5, become the same without anybody knowing the addresses.
 *
 * - `job_application.kept`: what is still there of an application: `body` (all), `columns` (all but the body), `minimal`
 *   (no personal column). `address_hash`: the HMAC of an address that is no longer there.
 * - `sync_state.address_hash`: the same of an application status named by the application's id, once the application
 *   left the inbox.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  for (const statement of TABLES) await knex.raw(statement, { schema });
  const secret = Buffer.alloc(64);
  randomBytes(32).copy(secret);
  const inner = secret.map((byte) => byte ^ 0x36);
  const outer = secret.map((byte) => byte ^ 0x5c);
  await knex.raw('insert into :schema:.address_secret (inner_pad, outer_pad) values (:inner, :outer)', {
    schema,
    inner: Buffer.from(inner),
    outer: Buffer.from(outer),
  });
  await knex.raw(
    `update :schema:.sync_state set key = left(key, -32) || ${hmacSql('right(key, 32)')}
     where entity = 'application-statuses' and key ~ :md5`,
    { schema, md5: ':[0-9a-f]{32}$' },
  );
  // Of a sweep that is under way, with the keys of before: it fails, and the next one finds the same.
  await knex.raw(`delete from :schema:.staged_finding where entity = 'application-statuses'`, { schema });
}

/**
 * A keyed hash cannot be turned back into the md5. Where the application is in the inbox with its address, the key of
 * before is made again; all others keep their key. The version before finds no row for those, and sends nothing of such a
 * row either, because without the application it does not know where to.
 *
 * That version has a body in each row of the inbox: an empty object stands for one that was not kept.
 */
export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop view if exists :schema:.record', { schema });
  await knex.raw(
    `update :schema:.sync_state s set key = a.vacancy_key || ':' || md5(lower(a.email))
     from :schema:.job_application a
     where s.entity = 'application-statuses' and a.application_id = s.platform_id
       and s.key = a.vacancy_key || ':' || ${hmacSql('md5(lower(a.email))')}`,
    { schema },
  );
  await knex.raw(`delete from :schema:.staged_finding where entity = 'application-statuses'`, { schema });
  await knex.raw(`update :schema:.job_application set body = '{}' where body is null`, { schema });
  await knex.raw(
    `alter table :schema:.job_application alter column body set not null, drop column kept, drop column address_hash`,
    { schema },
  );
  await knex.raw('alter table :schema:.sync_state drop column address_hash', { schema });
  await knex.raw('drop table :schema:.address_secret', { schema });
}

const TABLES = [
  `create table :schema:.address_secret (
     only_row  boolean primary key default true check (only_row),
     inner_pad bytea   not null,
     outer_pad bytea   not null
   )`,
  `alter table :schema:.job_application
     alter column body drop not null,
     add column kept text not null default 'body' check (kept in ('body', 'columns', 'minimal')),
     add column address_hash text`,
  `create index job_application_address_hash on :schema:.job_application (address_hash, vacancy_key)
   where address_hash is not null`,
  `alter table :schema:.sync_state add column address_hash text`,
  `create index sync_state_address_hash on :schema:.sync_state (address_hash) where address_hash is not null`,
];

/** SQL: HMAC-SHA256 of a text in ASCII, as hexadecimal digits. Written out, because a migration never changes. */
function hmacSql(text: string): string {
  return `(select encode(sha256(outer_pad || sha256(inner_pad || convert_to(${text}, 'UTF8'))), 'hex')
    from :schema:.address_secret)`;
}
