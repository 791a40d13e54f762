import type { Knex } from 'knex';

/**
 * The tenants of a fleet, and the rates that its replicas share.
 * - `begun_revision`: the revision with which the last run began.
 * - `last_run`: a TenantRun as JSON.
 * - `slices_in_a_row`: so many of the last runs used up their slices; below zero: so many did not.
 * - `next_at`: the next slot of a credential. `seen_at`: the clock at the last change, which shows a clock that was set
 *   back.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });

  await run(`
    create table :schema:.tenant (
      name            text        collate "C" primary key,
      configuration   text        not null,
      files           jsonb       not null,
      period_ms       bigint      not null,
      lane_setting    text        not null,
      lane            text        not null,
      enabled         boolean     not null,
      ledger_schema   text        not null,
      ledger_here     boolean     not null,
      paused          boolean     not null default false,
      removed_at      timestamptz,
      revision        integer     not null default 1,
      begun_revision  integer     not null default 0,
      added_at        timestamptz not null default clock_timestamp(),
      last_run        jsonb,
      last_success_at timestamptz,
      running_replica text,
      running_since   timestamptz,
      slices_in_a_row integer     not null default 0
    )`);
  await run(`
    create table :schema:.rate (
      credential   text        primary key,
      next_at      timestamptz,
      paused_until timestamptz,
      seen_at      timestamptz not null
    )`);
}

export async function down(knex: Knex, schema: string): Promise<void> {
  for (const table of ['rate', 'tenant'])
    await knex.raw('drop table :table:', { table: `${schema}.${table}` });
}
