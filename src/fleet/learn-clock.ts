import type { Clock } from '../ports/clock.js';
import type { SharedRates } from '../ports/tenants.js';
import { untilFirstAbort } from '../runtime/time.js';
import type { SharedClock } from './create-shared-clock.js';

/** The quickest answer counts. */
const LOOKS = 10;
/** Longest time for all of them, milliseconds. */
const LONGEST_MS = 2_000;

/**
 * Looks at the database's clock before anything is sent. From the answers to its first reservations alone, which come while
 * many tenants begin, a replica took its slots up to 60 ms late, and then those of later answers in time: closer together
 * than the rate allows. Ends after two seconds, or when the signal aborts, and never rejects: the database may be slow or
 * away, and later answers teach it, too.
 */
export async function learnClock(
  databaseClock: SharedClock,
  { now }: Pick<SharedRates, 'now'>,
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const look = async (): Promise<void> => {
    for (let looks = 0; looks < LOOKS && !over.signal.aborted; looks += 1) {
      const askedAt = clock.monotonic();
      const at = await now();
      databaseClock.toOwn(at, askedAt, clock.monotonic());
    }
  };
  await untilFirstAbort([signal, over.signal], async (ends) => {
    const longest = clock.sleep(LONGEST_MS, ends);
    await Promise.race([look().catch(() => undefined), longest]);
    over.abort();
    await longest;
  });
}
