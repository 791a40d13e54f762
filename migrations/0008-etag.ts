import type { Knex } from 'knex';

/**
 * What `platform.precondition` needs of a record.
 * - `etag`: as the platform gave it last, with a reply or a Find. `*`: a person wants the record overwritten, whatever the
 *   platform holds. Null: none is known.
 * - `possible_payloads`: payloads whose outcome is unknown, and that others have replaced since; null in the list: a deletion.
 *   What the platform shows may be one of them. Null once the record is confirmed.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column etag text, add column possible_payloads jsonb', {
    schema,
  });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column etag, drop column possible_payloads', {
    schema,
  });
}
