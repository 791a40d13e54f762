import type { Knex } from 'knex';

/**
 * The parents under which attempts without a known outcome may have put a record that now has another desired parent:
 * none of them is deleted before the record is confirmed. Few records have any, so the index is small.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column possible_parents uuid[]', { schema });
  await knex.raw(
    `create index sync_state_possible_parents on :schema:.sync_state (entity) where possible_parents is not null`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column possible_parents', { schema });
}
