import type { Emit } from '../../core/domain/events.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Tenants } from './state/tenants.js';
import type { JobQueue } from './job-queue.js';
import { warnSeldom } from './keep-engine.js';
import { sendDueTenants } from './send-due.js';
import { createTakeOvers, type RunSlice, workTenant } from './work-tenant.js';

interface ReplicaOptions {
  readonly tenants: Pick<
    Tenants,
    'takeDue' | 'makeAllDue' | 'laneOf' | 'begin' | 'runAlone' | 'end' | 'mayGoOn'
  >;
  readonly queue: JobQueue;
  readonly runSlice: RunSlice;
  /** Names this replica in the table of tenants. */
  readonly replica: string;
  /** Tenants at a time, in the lane of the small ones. */
  readonly slots: number;
  readonly largeSlots: number;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Aborts when the replica must end. */
  readonly signal: AbortSignal;
}

/**
 * A replica of the fleet. How a tenant passes: send-due.ts makes a job for each tenant that is due. work-jobs.ts takes jobs
 * while slots are free. work-tenant.ts runs one slice of the job's tenant, notes how it ended, and says whether a further job
 * follows. Requests of all tenants leave at the times of shared-rate-limit.ts.
 *
 * When the signal aborts, slices under way end in order, and their jobs are sent again at once for another replica. Never
 * rejects: without its database it waits.
 */
export async function runReplica(options: ReplicaOptions): Promise<void> {
  const { tenants, queue, runSlice, replica, slots, largeSlots, clock, emit, signal } = options;
  const warn = warnSeldom(clock, emit);
  const work = { tenants, runSlice, replica, clock, warn, takeOvers: createTakeOvers(clock) };
  await Promise.all([
    sendDueTenants({ tenants, queue, clock, warn }, signal),
    queue.work({ sync: slots, large: largeSlots }, (job) => workTenant(work, job), signal),
  ]);
}
