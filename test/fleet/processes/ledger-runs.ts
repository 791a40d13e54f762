import { type FleetWorld, ledgerOf } from './fleet-world.js';

/** A run as the ledger has it, with the replica that did it. */
export interface LedgerRun {
  readonly tenant: string;
  readonly replica: string;
  readonly startedAt: Date;
  /** Null: it runs; or it was killed, and nobody has run the tenant since. */
  readonly finishedAt: Date | null;
  readonly outcome: string | null;
  readonly trigger: string;
}

/** All runs of these tenants, in the order in which they began. */
export async function ledgerRuns(
  { database }: Pick<FleetWorld, 'database'>,
  tenants: readonly string[],
): Promise<readonly LedgerRun[]> {
  const runs: LedgerRun[] = [];
  const made = await withLedger(database, tenants);
  for (const tenant of made) {
    const schema = ledgerOf(tenant);
    const rows = await database.query<Omit<LedgerRun, 'tenant'>>(
      `select split_part(holder, ' tenant ', 1) as replica, started_at as "startedAt", finished_at as "finishedAt",
         outcome, trigger from ${schema}.sync_run`,
    );
    runs.push(...rows.map((row) => ({ tenant, ...row })));
  }
  return runs.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}

/**
 * Pairs of runs of one tenant that were under way at the same time, one sentence each. A run whose replica was killed
 * ends with it.
 */
export function overlaps(runs: readonly LedgerRun[], replicas: FleetWorld['replicas']): string[] {
  const killed = new Map(replicas.map(({ name, killedAt }) => [name, killedAt]));
  const endOf = ({ replica, finishedAt }: LedgerRun): number =>
    Math.min(finishedAt?.getTime() ?? Infinity, killed.get(replica)?.getTime() ?? Infinity);
  const last = new Map<string, LedgerRun>();
  return runs.flatMap((run) => {
    const before = last.get(run.tenant);
    last.set(run.tenant, run);
    if (before === undefined || endOf(before) <= run.startedAt.getTime()) return [];
    const told = ({ replica, startedAt, finishedAt }: LedgerRun) =>
      `${replica} from ${startedAt.toISOString()} to ${finishedAt?.toISOString() ?? 'now'}`;
    return [`${run.tenant}: ${told(before)}, and ${told(run)}`];
  });
}

/** The tenants whose ledgers have their tables. */
async function withLedger(
  { query }: FleetWorld['database'],
  tenants: readonly string[],
): Promise<readonly string[]> {
  const tables = await query<{ schema: string }>(
    `select schemaname as schema from pg_tables where tablename = 'sync_run'`,
  );
  const made = new Set(tables.map(({ schema }) => schema));
  return tenants.filter((tenant) => made.has(ledgerOf(tenant)));
}

/** What is not settled in the ledgers: claims, records that wait or failed; one sentence each. */
export async function unsettled(
  { database }: Pick<FleetWorld, 'database'>,
  tenants: readonly string[],
): Promise<string[]> {
  const made = await withLedger(database, tenants);
  const found = tenants.filter((tenant) => !made.includes(tenant)).map((tenant) => `${tenant} never ran`);
  for (const tenant of made) {
    const rows = await database.query<{ told: string }>(
      `select r.entity || ' ' || r.key || ' is ' || r.status as told from ${ledgerOf(tenant)}.record r
       where r.status not in ('synced', 'vanished')
       union all select entity || ' ' || key || ' is claimed or to be confirmed' from ${ledgerOf(tenant)}.sync_state
       where claim_token is not null or confirm_at is not null`,
    );
    found.push(...rows.map(({ told }) => `${tenant}: ${told}`));
  }
  return found;
}
