import type { Clock } from '../ports/clock.js';
import { untilFirstAbort } from '../runtime/time.js';
import type { Notices } from '../sync/notices.js';

/**
 * The look for troubles beside the work of `start`: regularly (`noticeLoop`), and soon after something happened that may
 * be one (`createNoticeBell`). A `run` has it too, so nothing of the schedule is loaded here.
 */

/** Rings when something happened that may be a trouble, or the end of one. */
interface NoticeBell {
  ring(): void;
  /** Until it rings, or the signal aborts. */
  rung(signal: AbortSignal): Promise<void>;
}

export function createNoticeBell(): NoticeBell {
  let rang = false;
  let wake = () => {};
  return {
    ring() {
      rang = true;
      wake();
    },
    async rung(signal) {
      if (!rang && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      rang = false;
    },
  };
}

/** Time between two looks for troubles, milliseconds. */
const LOOK_MS = 15_000;
/** How long the look waits after an event, so that the state database has what the event reports, milliseconds. */
const SETTLE_MS = 1_000;

/** Looks for troubles regularly, and soon after the bell rings, until the signal aborts. Never rejects. */
export async function noticeLoop(
  notices: Notices,
  bell: NoticeBell,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await notices.look(signal);
    const over = new AbortController();
    await untilFirstAbort([signal, over.signal], async (waiting) => {
      await Promise.race([bell.rung(waiting), clock.sleep(LOOK_MS, waiting)]);
      over.abort();
    });
    await clock.sleep(SETTLE_MS, signal);
  }
}
