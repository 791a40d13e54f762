import type { Knex } from 'knex';

/**
 * A parent that comes back with another reference looks for the children that were accepted under it and are to be
 * under another one by now. There are few of them at any time, among many that are still to be sent.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create index sync_state_moved on :schema:.sync_state (entity, acknowledged_parent_platform_id)
       where acknowledged_parent_platform_id is distinct from parent_platform_id`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :index:', { index: `${schema}.sync_state_moved` });
}
