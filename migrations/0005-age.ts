import type { Knex } from 'knex';

/** Settled records by the time of their acknowledgement: `refreshAfter` searches them, `status` counts them. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    'create index sync_state_age on :schema:.sync_state (entity, acknowledged_at) where settled',
    {
      schema,
    },
  );
  await knex.raw('drop index :index:', { index: `${schema}.sync_state_settled` });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('create index sync_state_settled on :schema:.sync_state (entity) where settled', { schema });
  await knex.raw('drop index :index:', { index: `${schema}.sync_state_age` });
}
