import type { Knex } from 'knex';

/** When each schedule is due next: stored at every run, so that a time that passes while nothing runs is not lost. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.schedule (
       name   text primary key,
       due_at timestamptz not null
     )`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.schedule', { schema });
}
