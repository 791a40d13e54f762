import type { Clock } from '../ports/clock.js';
import type { Tenants, TenantSummary } from '../ports/tenants.js';
import { asSyncError } from '../sync/run/as-sync-error.js';
import { createWakeableSleep } from '../sync/run/wakeable-sleep.js';
import { isDue } from './is-due.js';
import type { JobQueue } from './job-queue.js';
import type { Warn } from './say-seldom.js';

/** Time between two comparisons of the schedules with the table of tenants, milliseconds. */
const COMPARE_MS = 30_000;
/** After a comparison that failed. */
const RETRY_MS = 5_000;
/** Jobs that are sent side by side. */
const AT_A_TIME = 4;

export interface ScheduleKeeping {
  readonly tenants: Pick<Tenants, 'list'>;
  readonly queue: JobQueue;
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
  /** Tenants for which a job was sent, by the run after which it was: their jobs wait, perhaps for long. */
  let sent = new Map<string, number>();
  queue.onRestored(() => {
    sent = new Map();
    waiting.wake();
  });

  const compare = async (): Promise<void> => {
    const all = await tenants.list();
    const active = all.filter(({ enabled, paused, removed }) => enabled && !paused && !removed);
    await queue.reconcile(active.map(({ name, lane, periodMs }) => ({ tenant: name, lane, periodMs })));
    const due = active.filter((tenant) => isDue(tenant, clock.now()));
    const known = sent;
    const asked = due.filter((tenant) => known.get(tenant.name) === lastRunOf(tenant));
    const now = new Map(asked.map((tenant) => [tenant.name, lastRunOf(tenant)]));
    sent = now;
    const missing = due.filter(({ name }) => !now.has(name));
    for (let done = 0; done < missing.length && !signal.aborted; done += AT_A_TIME) {
      const some = missing.slice(done, done + AT_A_TIME);
      await Promise.all(some.map(({ name, lane }) => queue.send(name, lane)));
      some.forEach((tenant) => now.set(tenant.name, lastRunOf(tenant)));
    }
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

/** Milliseconds since the epoch; 0: it never ran. */
function lastRunOf({ lastRun }: TenantSummary): number {
  return lastRun?.startedAt.getTime() ?? 0;
}
