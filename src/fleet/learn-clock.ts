import type { Clock } from '../ports/clock.js';
import type { SharedRates } from '../ports/shared-rates.js';
import type { SharedClock } from './create-shared-clock.js';

/** The quickest answer counts. */
const LOOKS = 10;

/**
 * Looks at the database's clock before anything is sent. From the answers to its first reservations alone, which come while
 * many tenants begin, a replica took its slots up to 60 ms late, and then those of later answers in time: closer together
 * than the rate allows. Never rejects: the database may be away, and later answers teach it, too.
 */
export async function learnClock(
  databaseClock: SharedClock,
  { now }: Pick<SharedRates, 'now'>,
  clock: Pick<Clock, 'monotonic'>,
): Promise<void> {
  try {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const askedAt = clock.monotonic();
      const at = await now();
      databaseClock.toOwn(at, askedAt, clock.monotonic());
    }
  } catch {
    // It shows in nothing but the first requests.
  }
}
