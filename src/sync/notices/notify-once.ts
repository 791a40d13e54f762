import { untilFirstAbort } from '../../runtime/until-first-abort.js';
import type { Clock } from '../../ports/clock.js';
import type { Notices } from './create-notices.js';

/** Longest time that notices take at the end of a run, milliseconds. */
const LONGEST_MS = 8_000;

/** Longest time to record an interrupted delivery, milliseconds: the state database may not answer. */
const NOTE_MS = 1_000;

/** One look at everything, for a run that has ended: for some seconds at most, and until the signal aborts. Never rejects. */
export async function notifyOnce(
  notices: Notices,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  await untilFirstAbort([signal, over.signal], async (limited) => {
    const late = clock.sleep(LONGEST_MS, limited);
    const looking = notices.look(limited, signal);
    await Promise.race([looking, late]);
    over.abort();
    await Promise.race([looking, clock.sleep(NOTE_MS)]);
  });
}
