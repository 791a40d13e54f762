import type { Knex } from 'knex';

/**
 * Who did what by hand. The fleet's schema has a table of the same shape.
 * - `keys`: the first few records, or tenants, that were named; `counts` says how many there were.
 * - `outcome` null: the process ended, or lost the database, before it was known.
 * - The unique index: who reads the inbox gets one row an hour.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });
  await run(
    `create table :schema:.operator_action (
       id       bigint      generated always as identity primary key,
       at       timestamptz not null default clock_timestamp(),
       ended_at timestamptz,
       who      text        not null,
       via      text        not null,
       action   text        not null,
       entity   text,
       keys     text[]      not null default '{}',
       counts   jsonb       not null default '{}',
       reason   text,
       outcome  text
     )`,
  );
  await run('create index operator_action_at on :schema:.operator_action (at)');
  await run(
    `create unique index operator_action_reading on :schema:.operator_action
       (who, via, date_trunc('hour', at at time zone 'UTC')) where action = 'read-inbox'`,
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.operator_action', { schema });
}
