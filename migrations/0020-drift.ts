import type { Knex } from 'knex';

/**
 * `drifted_at`: when a read-back found that the platform lacks the record or holds something else. It counts until the
 * platform accepts the record again (`acknowledged_at` is later) or a read-back finds it equal, which clears it.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column drifted_at timestamptz', { schema });
  await knex.raw(
    'create index sync_state_drifted on :schema:.sync_state (entity, key) where drifted_at is not null',
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :schema:.sync_state_drifted', { schema });
  await knex.raw('alter table :schema:.sync_state drop column drifted_at', { schema });
}
