import type { Knex } from 'knex';

/**
 * The parent under which a record was accepted last: the closing of a record that has moved meanwhile goes out under
 * it. Null, as for all that were accepted before: as `parent_platform_id` says.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column acknowledged_parent_platform_id uuid', {
    schema,
  });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column acknowledged_parent_platform_id', { schema });
}
