import type { Knex } from 'knex';

/**
 * Children that the platform holds under another parent than the desired one. That parent needs them when it returns
 * with another reference, and before it is deleted. There are few at any time.
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
