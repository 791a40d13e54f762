import type { Knex } from 'knex';

/**
 * Children that the platform still holds under another parent than they are wanted under: that parent must not be
 * deleted yet. Only those are in the index, so it stays small.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create index sync_state_moved on :schema:.sync_state (entity, acknowledged_parent_platform_id)
     where acknowledged_parent_platform_id <> parent_platform_id`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :schema:.sync_state_moved', { schema });
}
