import type { Knex } from 'knex';

/**
 * Until when the platform asked not to be sent anything (429 or 503 with `Retry-After`), if that is longer than
 * `retry.maxPause`: a process that starts meanwhile waits too, and every process can say until when. Null, or in the past:
 * no pause.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.area_state add column paused_until timestamptz', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.area_state drop column paused_until', { schema });
}
