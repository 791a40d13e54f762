import type { FoundJob, PgBoss } from 'pg-boss';
import type { OpenTransaction } from './state/tenants.js';
import type { Lane, TenantSummary } from './state/types.js';

/** A job says only: look at this tenant now. */
export interface TenantJob {
  readonly id: string;
  readonly lane: Lane;
  readonly tenant: string;
  /** Whether it was another replica's, which gave no sign of life any more. */
  readonly isTakenOver: boolean;
  /** Aborts when the queue has given the job to another replica, or stops. */
  readonly signal: AbortSignal;
  /** To be called when its work has begun. Before that few other jobs are taken: they would wait here, and end with the process. */
  readonly onBegun: () => void;
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
