import type { Knex } from 'knex';

const STATEMENTS = [
  // Whether the last day of a vanished record was over when it left the source, as the sweep judged it.
  'alter table :schema:.sync_state add column expired boolean not null default false',
  'alter table :schema:.staged_finding add column expired boolean not null default false',
  // Rows of the last applied sweep whose application never came by webhook: they are in no other table.
  'alter table :schema:.entity_state add column foreign_rows integer not null default 0',
];

export async function up(knex: Knex, schema: string): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.entity_state drop column foreign_rows', { schema });
  await knex.raw('alter table :schema:.staged_finding drop column expired', { schema });
  await knex.raw('alter table :schema:.sync_state drop column expired', { schema });
}
