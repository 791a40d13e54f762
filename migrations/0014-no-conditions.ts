import type { Knex } from 'knex';

/** What only `platform.precondition` of 1.x needed goes: the ETag of a record, and payloads that it may hold. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column etag, drop column possible_payloads', {
    schema,
  });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column etag text, add column possible_payloads jsonb', {
    schema,
  });
}
