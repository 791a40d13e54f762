import type { Knex } from 'knex';

/**
 * Records that the platform holds under another parent than the one they are to be sent under: before a parent is
 * deleted they are looked for. They are few, so the index is small.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create index sync_state_moved on :schema:.sync_state (entity, acknowledged_parent_platform_id)
     where acknowledged_parent_platform_id is not null
       and acknowledged_parent_platform_id is distinct from parent_platform_id`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :schema:.sync_state_moved', { schema });
}
