import type { TestDatabase } from '../../../postgres/test-database.js';
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
  world: Pick<FleetWorld, 'databaseOf'>,
  tenants: readonly string[],
): Promise<readonly LedgerRun[]> {
  const runs: LedgerRun[] = [];
  for (const [tenant, database] of await withLedger(world, tenants)) {
    const schema = ledgerOf(tenant);
    const rows = await database.query<Omit<LedgerRun, 'tenant'>>(
      `select split_part(holder, ' tenant ', 1) as replica, started_at as "startedAt", finished_at as "finishedAt",
         outcome, trigger from ${schema}.sync_run`,
    );
    runs.push(...rows.map((row) => ({ tenant, ...row })));
  }
  return runs.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}

/** Requests of a tenant that failed, after which their records were put off. */
export async function deferrals(
  world: Pick<FleetWorld, 'databaseOf'>,
  tenant: string,
): Promise<readonly { readonly platformId: string; readonly at: Date }[]> {
  const database = await world.databaseOf(tenant);
  return await database.query(
    `select platform_id as "platformId", answered_at as at from ${ledgerOf(tenant)}.delivery
     where outcome <> 'accepted'`,
  );
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

/** The tenants whose ledgers have their tables, with the databases. */
async function withLedger(
  { databaseOf }: Pick<FleetWorld, 'databaseOf'>,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, TestDatabase>> {
  const made = new Map<string, TestDatabase>();
  for (const tenant of tenants) {
    const database = await databaseOf(tenant);
    const tables = await database.query(
      `select 1 from pg_tables where tablename = 'sync_run' and schemaname = $1`,
      [ledgerOf(tenant)],
    );
    if (tables.length > 0) made.set(tenant, database);
  }
  return made;
}

/** What is not settled in the ledgers: claims, records that wait or failed; one sentence each. */
export async function unsettled(
  world: Pick<FleetWorld, 'databaseOf'>,
  tenants: readonly string[],
): Promise<string[]> {
  const made = await withLedger(world, tenants);
  const found = tenants.filter((tenant) => !made.has(tenant)).map((tenant) => `${tenant} never ran`);
  for (const [tenant, database] of made) {
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
