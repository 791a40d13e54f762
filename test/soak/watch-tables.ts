import type { CliWorld } from '../cli/cli-world.js';

/** What is older than the retention of its table allows, by table: what should have been pruned. */
const OVERDUE = `
  select 'runs' as what, count(*)::int as count from placement_sync.sync_run
   where coalesce(finished_at, started_at) < now() - $1 * interval '1 second'
  union all
  select 'vanished rows', count(*)::int from placement_sync.sync_state
   where vanished_at < now() - $1 * interval '1 second'
  union all
  select 'applications', count(*)::int from placement_sync.job_application
   where received_at < now() - $1 * interval '1 second'
  union all
  select 'staged findings', count(*)::int from placement_sync.staged_finding
  union all
  select 'answers of past hours', count(*)::int from placement_sync.push_hour
   where hour < now() - $1 * interval '1 second' - interval '1 hour'
  union all
  select 'requests in the journal', count(*)::int from placement_sync.delivery
   where answered_at < now() - $1 * interval '1 second'`;

const SEEN = `
  select 'runs' as what, run_id::text as id from placement_sync.sync_run
  union all
  select 'vanished rows', entity || ' ' || key from placement_sync.sync_state where vanished_at is not null
  union all
  select 'applications', id::text from placement_sync.job_application`;

export interface TableWatch {
  /** Notes which rows there are, so that it shows at the end that rows came and went. */
  look(): Promise<void>;
  /** Connections of the worker to this database. */
  connections(): Promise<number>;
  /** How many rows of each kind were ever seen. */
  seen(): Readonly<Record<string, number>>;
  /** How many are older than their retention and a margin, both in seconds. */
  overdue(retention: number, margin: number): Promise<Readonly<Record<string, number>>>;
}

export function watchTables(world: CliWorld): TableWatch {
  const seen = new Map<string, Set<string>>();
  return {
    async look() {
      for (const { what, id } of await world.sql<{ what: string; id: string }>(SEEN)) {
        const ids = seen.get(what) ?? new Set();
        seen.set(what, ids.add(id));
      }
    },
    async connections() {
      const [row] = await world.sql<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = 'placement-sync'`,
      );
      return row?.count ?? 0;
    },
    seen: () => Object.fromEntries([...seen].map(([what, ids]) => [what, ids.size])),
    async overdue(retention, margin) {
      const rows = await world.sql<{ what: string; count: number }>(OVERDUE, [retention + margin]);
      return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
    },
  };
}
