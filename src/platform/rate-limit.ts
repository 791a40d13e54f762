import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type { Clock } from '../ports/clock.js';
import type { Place, RateLimit } from '../ports/platform.js';
import { createKeepAlive, QUIET_MS } from '../runtime/time.js';

interface RateLimitOptions {
  /** Most requests in any sliding second at the server; below 1: one in 1/rate seconds. Null: no limit. */
  readonly ratePerSecond: number | null;
  /** Most attempts at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Nothing starts before this moment of `clock.monotonic()`: the quiet second after an earlier run. */
  readonly notBefore?: number | undefined;
  /** Attempts also need a place of this limit, whose rate they share with others. */
  readonly within?: RateLimit | undefined;
}

/** An attempt that waits for its place. */
interface Waiting {
  readonly attempt: (place: Place) => Promise<void>;
  readonly urgent: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Keeps a rate at the server, not at our side: requests that leave evenly can arrive together. There are as many
 * places as the rate, and an attempt keeps its place for a second after its *reply*, by when its arrival is more
 * than a second ago for sure. That would waste a round trip per place, so the limiter reuses nine tenths of the
 * smallest measured round trip: the next request needs its way to the server, and the reply needed its way back.
 *
 * Why two arrivals of one place are a second apart, also when the process stands still. Let a request be written at W,
 * arrive at A and its reply be noticed at R; its place is free at R + 1003 ms - 0.9 m, and the next is written after that.
 * - A lies between W and R, and m, the smallest measured round trip, is at most this request's own, R - W. So the next is
 *   written after W + 1003 ms: what is lost of the second is at most by how much the way there was longer than the next
 *   one's. And the next arrives after R + 1003 ms - 0.9 m + its way there: that is enough when its way there and this
 *   reply's way back are together no less than nine tenths of the smallest round trip. Either suffices.
 * - A stall before the write must not be in m: a process that stands still before each write would measure m too long by
 *   the stall, and free every place that much too early. So the round trip begins when the connection has taken the
 *   request, and not when the attempt begins to sign; where that moment is not known, nothing is subtracted.
 * - A stall before a reply is noticed is in R as much as in the own round trip, and m is never more than that: the place is
 *   free later, never earlier.
 * - What leaves late, leaves late: its second begins with its own reply.
 *
 * Within a place an attempt waits for one of `concurrency` connections. The wait does not waste the place: the attempt
 * could not have been sent earlier.
 *
 * An attempt whose signal aborts gives up its turn at once; its place stays unused.
 *
 * A process whose last attempt has ended may exit: cooling places do not keep it alive.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { clock, ratePerSecond: rate, within } = options;
  const notBefore = options.notBefore ?? clock.monotonic();
  const isOpen = notBefore <= clock.monotonic();
  // Places are whole: 2.5 a second means 2 a second, 0.5 means one in two seconds.
  const places = rate === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(rate));
  const windowMs = rate === null ? 0 : QUIET_MS * Math.max(1, 1 / rate);
  const outer = new PQueue({ concurrency: places, autoStart: isOpen });
  const inner = new PQueue({ concurrency: options.concurrency });
  const roundTrips = createRoundTrips({ warmUp: 2 * places, forgetAfterMs: 2 * windowMs });
  const alive = createKeepAlive();

  /** Calls `then` at the moment that `moment` returns, which is asked again each time it seems to have come. */
  const callAt = (moment: () => number, then: () => void): void => {
    const wait = moment() - clock.monotonic();
    if (wait <= 0) then();
    else setTimeout(() => callAt(moment, then), Math.ceil(wait)).unref();
  };
  if (!isOpen) {
    callAt(
      () => notBefore,
      () => outer.start(),
    );
  }

  /** Runs within a place and calls `free` when the place may be used again. Never rejects. */
  const runInPlace = async ({ attempt, urgent, signal }: Waiting, free: () => void): Promise<void> => {
    let released = false;
    let endedAt = 0;
    /** Own round trip, milliseconds; 0: not known. */
    let trip = 0;
    const run = async (outerPlace?: Place): Promise<void> => {
      const release = (): void => {
        released = true;
        outerPlace?.release();
        free();
      };
      roundTrips.start(clock.monotonic());
      let writtenAt: number | null = null;
      const written = (): void => {
        writtenAt = clock.monotonic();
        outerPlace?.written();
      };
      await attempt({ release, written });
      endedAt = clock.monotonic();
      const known = writtenAt !== null && !released;
      trip = known ? endedAt - (writtenAt ?? endedAt) : 0;
      roundTrips.end(endedAt, known ? trip : null);
    };
    if (signal?.aborted) released = true;
    else if (within) {
      await within.schedule(run, urgent, signal).catch(() => {
        released = true;
      });
    } else await run();
    if (released) {
      free();
      return;
    }
    // Read again at that time, because a quicker reply since then makes the place last longer.
    if (rate === null) free();
    else callAt(() => endedAt + windowMs - 0.9 * Math.min(trip, roundTrips.smallest()), free);
  };

  return {
    schedule<T>(attempt: (place: Place) => Promise<T>, urgent = false, signal?: AbortSignal): Promise<T> {
      const priority = urgent ? 1 : 0;
      return new Promise<T>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        alive.begin();
        const giveUp = (): void => {
          alive.end();
          reject(signal?.reason as Error);
        };
        if (signal) {
          // Node warns of more than ten listeners, but here each ends with its wait.
          setMaxListeners(0, signal);
          signal.addEventListener('abort', giveUp, { once: true });
        }
        const settle = async (place: Place): Promise<void> => {
          signal?.removeEventListener('abort', giveUp);
          try {
            resolve(await attempt(place));
          } catch (error) {
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passed on as it came
            reject(error);
          } finally {
            alive.end();
          }
        };
        const holdPlace = (): Promise<void> =>
          new Promise((free) => {
            void inner.add(() => runInPlace({ attempt: settle, urgent, signal }, free), { priority });
          });
        void outer.add(holdPlace, { priority });
      });
    },
  };
}

/** The measured time between request and reply, as far as the rate limit may rely on it. */
interface RoundTrips {
  /** Called when an attempt starts, with the moment in milliseconds. */
  start(at: number): void;
  /** Called when it has ended, with its round trip in milliseconds; null: not known, so it does not count. */
  end(endedAt: number, tripMs: number | null): void;
  /** The smallest round trip in milliseconds; 0 while too few were seen. */
  smallest(): number;
}

/**
 * The first round trips include connecting and are longer than later ones, so the first
 * `warmUp` do not count. After a quiet time the server may have closed every connection, and the warm-up begins
 * again; the smallest round trip stays, because a smaller one is never wrong.
 */
export function createRoundTrips(options: { warmUp: number; forgetAfterMs: number }): RoundTrips {
  let seen = 0;
  let running = 0;
  let lastEnd = 0;
  let smallest = Number.POSITIVE_INFINITY;

  return {
    start(at) {
      if (running === 0 && at - lastEnd > options.forgetAfterMs) seen = 0;
      running++;
    },
    end(endedAt, tripMs) {
      running--;
      lastEnd = endedAt;
      if (tripMs === null) return;
      seen++;
      smallest = Math.min(smallest, tripMs);
    },
    smallest() {
      return seen > options.warmUp ? smallest : 0;
    },
  };
}
