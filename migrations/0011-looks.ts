import type { Knex } from 'knex';

/** `area_state.stop_cause`: why its last push stopped, beyond the code. Null: it did not, or the code says all. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.area_state add column stop_cause text', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.area_state drop column stop_cause', { schema });
}
