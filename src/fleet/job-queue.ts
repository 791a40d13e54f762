import type { Lane } from '../ports/tenants.js';

/** A job says only: look at this tenant now. */
export interface TenantJob {
  readonly id: string;
  readonly lane: Lane;
  readonly tenant: string;
  /** How often its replica ended before the job did. */
  readonly orphaned: number;
  /** Aborts when the queue has given the job to another replica, or stops. */
  readonly signal: AbortSignal;
}

/** What follows a job: the end of the line again in this lane, or nothing until its schedule. */
export interface NextJob {
  readonly again: Lane | null;
  /** Not before so many milliseconds are over, and then before those that wait; default: at once, behind them. */
  readonly inMs?: number;
}

/** When a tenant is looked at. */
export interface TenantSchedule {
  readonly tenant: string;
  readonly lane: Lane;
  readonly periodMs: number;
}

/** The engine of the fleet. It is disposable: what is due stands in the ledgers, exclusiveness in the leases. */
export interface JobQueue {
  /**
   * At most one job of a tenant is queued or running. False: there is one already; if it waits for its time, it comes at
   * once.
   */
  send(tenant: string, lane: Lane): Promise<boolean>;
  /** The same for many tenants, in a few statements. Gives how many it sent. */
  sendMissing(jobs: readonly Pick<TenantSchedule, 'tenant' | 'lane'>[]): Promise<number>;
  /** Makes the stored schedules equal to these, and is their only writer. Gives how many it wrote or deleted. */
  reconcile(schedules: readonly TenantSchedule[]): Promise<number>;
  /** Takes jobs while there are free slots; `work` never rejects. Ends when the signal aborts and all work has ended. */
  work(
    slots: Readonly<Record<Lane, number>>,
    work: (job: TenantJob) => Promise<NextJob>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Notifies whenever the engine was built again, because its schema was dropped: no job and no schedule is left. */
  onRestored(tell: () => void): void;
  /** Jobs that wait and that run, by lane; a few seconds old. */
  counts(): Promise<Readonly<Record<Lane, { readonly ready: number; readonly active: number }>>>;
  close(): Promise<void>;
}
