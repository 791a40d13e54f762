import type { Clock } from '../ports/clock.js';
import type { SharedRates } from '../ports/tenants.js';
import type { SharedClock } from './create-shared-clock.js';

/** How long before a block's first slot the pause is read again, milliseconds. */
const LOOK_BEFORE_MS = 100;

export interface BlockSourceOptions {
  readonly rates: SharedRates;
  readonly credential: string;
  readonly ratePerSecond: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What this process knows of the database's clock. */
  readonly databaseClock: SharedClock;
}

export interface BlockSource {
  /**
   * Reserves so many slots and waits for the first. Gives their moments of `clock.monotonic()`, ascending; none when the
   * platform asked for a pause meanwhile: then ask again. Errors: those of SharedRates.
   */
  next(count: number): Promise<readonly number[]>;
}

/** Its waits do not keep the process alive. */
export function createBlockSource({
  rates,
  credential,
  ratePerSecond,
  clock,
  databaseClock,
}: BlockSourceOptions): BlockSource {
  const until = async (moment: number): Promise<void> => {
    for (let left = moment - clock.monotonic(); left > 0; left = moment - clock.monotonic())
      await new Promise<void>((resolve) => setTimeout(resolve, Math.ceil(left)).unref());
  };

  return {
    async next(wanted) {
      const askedAt = clock.monotonic();
      const { at, waitMs, stepMs, count } = await rates.reserve(credential, ratePerSecond, wanted);
      const answeredAt = clock.monotonic();
      const first = databaseClock.toOwn(at, askedAt, answeredAt) + waitMs;
      // The answer is in time, as far as it takes no longer than this one.
      const lookAt = first - LOOK_BEFORE_MS - 2 * (answeredAt - askedAt);
      if (lookAt > answeredAt) {
        await until(lookAt);
        if ((await rates.pauseLeft(credential)) > first - clock.monotonic()) return [];
      }
      await until(first);
      return Array.from({ length: count }, (_, index) => first + index * stepMs);
    },
  };
}
