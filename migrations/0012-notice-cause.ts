import type { Knex } from 'knex';

/** `notice.about`: which cause and size the message has, and when each cause was reported. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`alter table :schema:.notice add column about jsonb not null default '{}'`, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.notice drop column about', { schema });
}
