import type { Knex } from 'knex';

/**
 * What `platform.precondition` needs of a record.
 * - `etag`: as the platform gave it last, with a reply or a Find. `*`: a person wants the record overwritten, whatever the
 *   platform holds. Null: none is known.
 * - `possible_payload`: a payload whose outcome is unknown, and that another one has replaced since. What the platform shows
 *   may be this one. Null once the record is confirmed.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column etag text, add column possible_payload jsonb', {
    schema,
  });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column etag, drop column possible_payload', {
    schema,
  });
}
