import type { Knex } from 'knex';

/**
 * - `entity_state.source`: where the last applied sweep read from, and how far that was behind. Null: not known.
 * - `area_state.stop_cause`: why its last push stopped, beyond the code. Null: it did not, or the code says all.
 * - `sync_state.looked_at`: when a record was read back last. Null: never.
 * - `sync_state_refused`: what the platform rejects, which each look for notices counts.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    'create index sync_state_refused on :schema:.sync_state (entity, key) where refused_hash is not null',
    {
      schema,
    },
  );
  await knex.raw('alter table :schema:.area_state add column stop_cause text', { schema });
  await knex.raw('alter table :schema:.entity_state add column source jsonb', { schema });
  await knex.raw('alter table :schema:.sync_state add column looked_at timestamptz', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :schema:.sync_state_refused', { schema });
  await knex.raw('alter table :schema:.entity_state drop column source', { schema });
  await knex.raw('alter table :schema:.sync_state drop column looked_at', { schema });
  await knex.raw('alter table :schema:.area_state drop column stop_cause', { schema });
}
