import type { Clock } from '../../core/ports/clock.js';
import type { WakeableSleep } from '../../core/runtime/time.js';
import type { Notices } from './send-notices.js';

/** Time between two looks for troubles, milliseconds. */
const LOOK_MS = 15_000;
/** How long the look waits after an event, so that the state database has what the event reports, milliseconds. */
const SETTLE_MS = 1_000;

/**
 * The look for troubles beside the work of `start`: regularly, and soon after `wait` was woken because something happened
 * that may be a trouble or the end of one. Until the signal aborts. Never rejects. A `run` loads this too, so nothing of the
 * schedule is loaded here.
 */
export async function noticeLoop(
  notices: Notices,
  wait: WakeableSleep,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  signal.addEventListener('abort', () => wait.wake(), { once: true });
  while (!signal.aborted) {
    await notices.look(signal);
    await wait.sleep(LOOK_MS);
    await clock.sleep(SETTLE_MS, signal);
  }
}
