import type { Emit } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';
import type { Tenants } from '../ports/tenants.js';
import type { JobQueue } from './job-queue.js';
import { keepSchedules } from './schedules.js';
import { saySeldom } from './keep-engine.js';
import { type RunSlice, workTenant } from './work-tenant.js';

export interface ReplicaOptions {
  readonly tenants: Pick<Tenants, 'list' | 'laneOf' | 'begin' | 'end' | 'mayGoOn'>;
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
 * A replica of the fleet: keeps the schedules, and works the jobs of its slots. When the signal aborts, slices under way
 * end in order, and their jobs are sent again at once for another replica. Never rejects: without its database it waits.
 */
export async function runReplica(options: ReplicaOptions): Promise<void> {
  const { tenants, queue, runSlice, replica, slots, largeSlots, clock, emit, signal } = options;
  const warn = saySeldom(clock, emit);
  const work = { tenants, runSlice, replica, clock, warn };
  await Promise.all([
    keepSchedules({ tenants, queue, clock, warn }, signal),
    queue.work({ sync: slots, large: largeSlots }, (job) => workTenant(work, job), signal),
  ]);
}
