import type { Clock } from '../ports/clock.js';
import type { Tenants } from '../ports/tenants.js';
import { asSyncError } from '../sync/run/end.js';
import { createWakeableSleep } from '../sync/run/wakeable-sleep.js';
import { isDue } from './is-due.js';
import type { JobQueue } from './job-queue.js';
import type { Warn } from './say-seldom.js';

/** Time between two comparisons of the schedules with the table of tenants, milliseconds. */
const COMPARE_MS = 30_000;
/** After a comparison that failed. */
const RETRY_MS = 5_000;

export interface ScheduleKeeping {
  readonly tenants: Pick<Tenants, 'list'>;
  readonly queue: Pick<JobQueue, 'reconcile' | 'sendMissing' | 'onRestored'>;
  readonly clock: Clock;
  readonly warn: Warn;
}

/**
 * Keeps the schedules equal to the table of tenants, and sends a job at once for tenants that should have one: after a
 * downtime, and new ones. Until the signal aborts; never rejects.
 */
export async function keepSchedules(
  { tenants, queue, clock, warn }: ScheduleKeeping,
  signal: AbortSignal,
): Promise<void> {
  const waiting = createWakeableSleep(clock, signal);
  queue.onRestored(() => waiting.wake());

  const compare = async (): Promise<void> => {
    const all = await tenants.list();
    const active = all.filter(({ enabled, paused, removed }) => enabled && !paused && !removed);
    await queue.reconcile(active.map(({ name, lane, periodMs }) => ({ tenant: name, lane, periodMs })));
    const due = active.filter((tenant) => isDue(tenant, clock.now()));
    if (due.length > 0) await queue.sendMissing(due.map(({ name, lane }) => ({ tenant: name, lane })));
  };

  while (!signal.aborted) {
    const pauseMs = await compare().then(
      () => COMPARE_MS,
      (error: unknown) => {
        warn(asSyncError(error));
        return RETRY_MS;
      },
    );
    await waiting.sleep(pauseMs);
  }
}
