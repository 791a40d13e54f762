import type { Knex } from 'knex';

/**
 * The parent under which a record was accepted last: the closing of a record that moved since is sent under it. Null,
 * as for all accepted before this migration: the parent in `parent_platform_id`.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column acknowledged_parent_platform_id uuid', {
    schema,
  });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column acknowledged_parent_platform_id', { schema });
}
