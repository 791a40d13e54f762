import type { Knex } from 'knex';

/**
 * `claims`: what the tenant's last run said of itself, for each area: whose rate it uses, at most how many requests a second,
 * and the namespace of its ids.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`alter table :schema:.tenant add column claims jsonb not null default '[]'`, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.tenant drop column claims', { schema });
}
