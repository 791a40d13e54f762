import type { Knex } from 'knex';

/**
 * - `tenant.sweeping`: the entity that the run under way reads, or read when its replica ended. Null: none, or not known.
 * - `alone`: one row, which whoever asks for the one place of suspects locks.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.tenant add column sweeping text', { schema });
  await knex.raw('create table :schema:.alone (place boolean primary key default true check (place))', {
    schema,
  });
  await knex.raw('insert into :schema:.alone default values', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.alone', { schema });
  await knex.raw('alter table :schema:.tenant drop column sweeping', { schema });
}
