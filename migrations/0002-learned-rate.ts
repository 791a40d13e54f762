import type { Knex } from 'knex';

/** `area_state.learned_rate`: a LearnedRate as JSON. Null: nothing speaks against the setting. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.area_state add column learned_rate jsonb', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.area_state drop column learned_rate', { schema });
}
