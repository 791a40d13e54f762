import type { Knex } from 'knex';

/**
 * - `next_at`: when the tenant is due. Those that have run before are spread over their period.
 * - `ends`: so many replicas in a row ended during its run, and none of these runs got anything done.
 * - `alone_until`: until then it runs as the only one of those that may have ended a replica.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });
  await run(`
    alter table :schema:.tenant
      add column next_at     timestamptz not null default clock_timestamp(),
      add column ends        integer     not null default 0,
      add column alone_until timestamptz`);
  await run(`
    update :schema:.tenant set next_at = clock_timestamp() + random() * period_ms * interval '1 millisecond'
    where last_run is not null`);
  await run(`
    create index tenant_due on :schema:.tenant (next_at) where enabled and not paused and removed_at is null`);
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    'alter table :schema:.tenant drop column next_at, drop column ends, drop column alone_until',
    {
      schema,
    },
  );
}
