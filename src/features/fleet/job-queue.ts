import type { Database, FoundJob, PgBoss } from 'pg-boss';
import type { OpenTransaction } from './state/tenants.js';
import { createLibraryDatabase } from './state/library-database.js';
import type { JobCounts } from './fleet-report.js';
import type { Lane, TenantSummary } from './state/types.js';

/** A job says only: look at this tenant now. */
export interface TenantJob {
  readonly id: string;
  readonly lane: Lane;
  readonly tenant: string;
  /** Aborts when the queue has given the job to another replica, or stops. */
  readonly signal: AbortSignal;
}

/** What follows a job: the end of the line again in this lane, or nothing until it is due. */
export interface NextJob {
  readonly again: Lane | null;
  /** Not before so many milliseconds are over, and then before those that wait; default: at once, behind them. */
  readonly inMs?: number;
}

/** The engine of the fleet. It is disposable: what is due stands in the ledgers, exclusiveness in the leases. */
export interface JobQueue {
  /**
   * At most one job of a tenant is queued or running. False: there is one already; if it waits for its time, it comes at
   * once.
   */
  send(tenant: string, lane: Lane): Promise<boolean>;
  /** Sends a job for each tenant that `take` gives, in its transaction, unless it has one. Gives how many there were. */
  sendDue(
    take: (transaction: OpenTransaction) => Promise<readonly Pick<TenantSummary, 'name' | 'lane'>[]>,
  ): Promise<number>;
  /** Takes jobs while there are free slots; `work` never rejects. Ends when the signal aborts and all work has ended. */
  work(
    slots: Readonly<Record<Lane, number>>,
    work: (job: TenantJob) => Promise<NextJob>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Notifies whenever the engine was built again, because its schema was dropped: no job is left. */
  onRestored(tell: () => void): void;
  /** Jobs that wait and that run, by lane; a few seconds old. */
  counts(): Promise<JobCounts>;
  close(): Promise<void>;
}

/** Names of the engine's queues. */
export const LANES: readonly Lane[] = ['sync', 'large'];

export function otherLane(lane: Lane): Lane {
  return lane === 'sync' ? 'large' : 'sync';
}

/** Whether a lane has a job of this tenant that waits or runs. */
export async function hasJob(
  boss: Pick<PgBoss, 'findJobs'>,
  lane: Lane,
  tenant: string,
  which: (job: FoundJob) => boolean = isUnfinished,
): Promise<boolean> {
  return (await boss.findJobs(lane, { key: tenant })).some(which);
}

function isUnfinished({ state }: FoundJob): boolean {
  return state === 'created' || state === 'retry' || state === 'active';
}

export function isActive({ state }: FoundJob): boolean {
  return state === 'active';
}

/** Jobs that wait and that run, by lane, as the last look of the engine's supervisor found them. Errors: of the package. */
/** `db` and `schema`: of the engine. */
export async function countJobs(boss: PgBoss, db: Database, schema: string): Promise<JobCounts> {
  const found = await boss.getQueues([...LANES]);
  const waits = (await db.executeSql(longestWaits(schema))).rows as { lane: string; seconds: number }[];
  const countsOf = (lane: Lane) => {
    const counts = found.find(({ name }) => name === lane);
    const longestWait = waits.find((wait) => wait.lane === lane)?.seconds ?? 0;
    return { ready: counts?.readyCount ?? 0, active: counts?.activeCount ?? 0, longestWait };
  };
  return { sync: countsOf('sync'), large: countsOf('large') };
}

/** SQL: how long the jobs of each lane have waited at most since they might have begun, whole seconds. */
function longestWaits(schema: string): string {
  return `select name as lane, cast(floor(extract(epoch from
      clock_timestamp() - min(greatest(created_on, start_after)))) as integer) as seconds
    from "${schema.replaceAll('"', '""')}".job where state in ('created', 'retry') and start_after <= clock_timestamp()
    group by name`;
}

/** Longest time of a statement, milliseconds. */
const STATEMENT_MS = 5_000;

/**
 * The counts of `JobQueue` for a command that only looks. It makes and changes nothing: neither the schema nor the queues,
 * and it does none of the engine's own work. `url`: of the fleet's database; `schema`: of the engine alone. Errors: of the
 * package, also when no replica has made the schema yet.
 */
export async function lookAtJobs({
  url,
  schema,
}: {
  readonly url: string;
  readonly schema: string;
}): Promise<JobCounts> {
  const { PgBoss: Boss } = await import('pg-boss');
  const db = createLibraryDatabase({
    ...{ url, poolMax: 1, statementTimeoutMs: STATEMENT_MS },
    lockedBy: { schema, table: 'version' },
  });
  const boss = new Boss({
    db,
    schema,
    useListenNotify: false,
    migrate: false,
    schedule: false,
    supervise: false,
  });
  // Without a listener it would end the process; the call has the same error.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    return await countJobs(boss, db, schema);
  } finally {
    await boss.stop({ graceful: false, close: true }).catch(() => undefined);
    await db.close();
  }
}
