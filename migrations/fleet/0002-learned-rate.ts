import type { Knex } from 'knex';

/** `rate.learned`: what all that share a credential have learned, a LearnedRate as JSON. Null: nothing. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.rate add column learned jsonb', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.rate drop column learned', { schema });
}
