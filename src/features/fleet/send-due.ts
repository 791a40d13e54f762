import type { Clock } from '../../core/ports/clock.js';
import type { Tenants } from './state/tenants.js';
import { createWakeableSleep } from '../../core/runtime/time.js';
import { asSyncError } from '../../core/run/end.js';
import type { JobQueue } from './job-queue.js';
import type { Warn } from './keep-engine.js';

/** Time between two looks for tenants that are due, milliseconds. */
const LOOK_MS = 1_000;
/** After a look that failed. */
const RETRY_MS = 5_000;
/** Tenants of one look; while there are more, the next look comes at once. */
const AT_A_LOOK = 200;

/**
 * Sends a job for each tenant whose time has come. Every replica looks, and each takes what no other one takes. The times
 * stand in the table of tenants, in the database's clock; the queue keeps none. So after the loss of the queue all are due:
 * whose job is gone is not known. Until the signal aborts; never rejects.
 */
export async function sendDueTenants(
  {
    tenants,
    queue,
    clock,
    warn,
  }: {
    readonly tenants: Pick<Tenants, 'takeDue' | 'makeAllDue'>;
    readonly queue: Pick<JobQueue, 'sendDue' | 'onRestored'>;
    readonly clock: Clock;
    readonly warn: Warn;
  },
  signal: AbortSignal,
): Promise<void> {
  const waiting = createWakeableSleep(clock, signal);
  let lostJobs = false;
  queue.onRestored(() => {
    lostJobs = true;
    waiting.wake();
  });

  const look = async (): Promise<number> => {
    if (lostJobs) await tenants.makeAllDue();
    lostJobs = false;
    const sent = await queue.sendDue((transaction) => tenants.takeDue(transaction, AT_A_LOOK));
    return sent === AT_A_LOOK ? 0 : LOOK_MS;
  };

  while (!signal.aborted) {
    const pauseMs = await look().catch((error: unknown) => {
      warn(asSyncError(error));
      return RETRY_MS;
    });
    if (pauseMs > 0) await waiting.sleep(pauseMs);
  }
}
