import type { Knex } from 'knex';

/** No tenant runs alone any more, and what a run reads is not noted: `ends` decides how long it waits. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.alone', { schema });
  await knex.raw('alter table :schema:.tenant drop column sweeping, drop column alone_until', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.tenant add column sweeping text, add column alone_until timestamptz', {
    schema,
  });
  await knex.raw('create table :schema:.alone (place boolean primary key default true check (place))', {
    schema,
  });
  await knex.raw('insert into :schema:.alone default values', { schema });
}
