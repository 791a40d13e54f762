import {
  type LearnedRate,
  learnRate,
  type RateEvent,
  type RateNews,
  resumedRate,
} from '../domain/learned-rate.js';
import type { Clock } from '../ports/clock.js';
import type { Place, RateLearning, RateLimit } from '../ports/platform.js';
import { QUIET_MS } from '../runtime/time.js';
import { createSlotScheduler } from './slot-scheduler.js';

interface RateLimitOptions {
  /** Most requests in any sliding second at the server; below 1: one in 1/rate seconds. Null: no limit. */
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  /** Nothing starts before this moment of `clock.monotonic()`: the quiet second after an earlier run. */
  readonly notBefore?: number | undefined;
  /** Attempts also need a place of this limit, whose rate they share with others. */
  readonly within?: RateLimit | undefined;
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
 * A place is taken when the attempt starts, so none is wasted while all of the `concurrency` connections are in use.
 *
 * Below the setting the platform may teach a lower rate (`Pace`). It only delays starts, so all of the above holds.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { clock, ratePerSecond: rate, within } = options;
  const notBefore = options.notBefore ?? clock.monotonic();
  // Places are whole: 2.5 a second means 2 a second, 0.5 means one in two seconds.
  const places = rate === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(rate));
  const windowMs = rate === null ? 0 : QUIET_MS * Math.max(1, 1 / rate);
  const pace = new Pace(rate, clock);
  const roundTrips = createRoundTrips({ warmUp: 2 * places, forgetAfterMs: 2 * windowMs });

  /** Calls `then` at the moment that `moment` returns, which is asked again each time it seems to have come. */
  const callAt = (moment: () => number, then: () => void): void => {
    const wait = moment() - clock.monotonic();
    if (wait <= 0) then();
    else setTimeout(() => callAt(moment, then), Math.ceil(wait)).unref();
  };

  let wakes = false;
  /** The same once at a time. */
  const wakeAt = (moment: () => number, wake: () => void): void => {
    if (wakes) return;
    wakes = true;
    callAt(moment, () => {
      wakes = false;
      wake();
    });
  };

  const own = createSlotScheduler(options.concurrency, ({ wake }) => {
    let taken = 0;
    const free = (): void => {
      taken--;
      wake();
    };
    callAt(() => notBefore, wake);
    return {
      take() {
        if (clock.monotonic() < notBefore || taken >= places) return null;
        if (pace.freeAt() > clock.monotonic()) {
          wakeAt(() => pace.freeAt(), wake);
          return null;
        }
        taken++;
        const start = pace.begin();
        let isReleased = false;
        let endTrip: EndTrip | undefined;
        return {
          release() {
            if (!isReleased) {
              start.takeBack();
              free();
            }
            isReleased = true;
          },
          written: () => (endTrip ??= roundTrips.begin(clock.monotonic())),
          answered: start.answered,
          ended() {
            const endedAt = clock.monotonic();
            // Not known when it was written: nothing is subtracted.
            const trip = endTrip?.(endedAt, !isReleased) ?? 0;
            if (isReleased) return;
            // Read again at that time, because a quicker reply since then makes the place last longer.
            callAt(() => endedAt + windowMs - 0.9 * Math.min(trip, roundTrips.smallest()), free);
          },
        };
      },
    };
  });
  return within ? inPlaceOf(own, within) : { ...own, learning: pace.learning };
}

/** Attempts get a place of `own` first, and within it one of `whole`. */
function inPlaceOf(own: RateLimit, whole: RateLimit): RateLimit {
  return {
    schedule: (attempt, urgent, signal) =>
      own.schedule(
        async (place) => {
          let hasBegun = false;
          const run = (inner: Place) => {
            hasBegun = true;
            const both = [inner, place];
            return attempt({
              release: () => both.forEach((each) => each.release()),
              written: () => both.forEach((each) => each.written()),
              // The platform knows the whole only.
              answered: inner.answered,
            });
          };
          return whole.schedule(run, urgent, signal).finally(() => {
            if (!hasBegun) place.release();
          });
        },
        urgent,
        signal,
      ),
  };
}

/** Starts of the last second are looked at for this long, milliseconds. */
const USED_MS = 1_000;

/**
 * The pace that the platform teaches, below the setting: starts are spread evenly, because not every platform takes a
 * second's requests at once, and all wait while it says that nothing more is taken. Nothing learned: no pace.
 */
class Pace {
  private learned: LearnedRate | null = null;
  /** The platform has taught this process: what others knew counts no more. */
  private hasLearned = false;
  /** When the last attempt started; this and the next of `clock.monotonic()`. */
  private startedAt = Number.NEGATIVE_INFINITY;
  /** Until when the platform takes nothing. */
  private waitUntil = Number.NEGATIVE_INFINITY;
  /** Starts of the last second. Where there is no setting, what is used is what was too much. */
  private used: number[] = [];
  readonly learning: RateLearning = {
    learned: () => this.learned,
    resume: (known) => {
      if (!this.hasLearned) this.learned = resumedRate(known, this.ceiling);
    },
  };

  constructor(
    private readonly ceiling: number | null,
    private readonly clock: Pick<Clock, 'monotonic' | 'now'>,
  ) {}

  /** When the next attempt may start, of `clock.monotonic()`. */
  freeAt(): number {
    return Math.max(
      this.waitUntil,
      this.learned === null ? 0 : this.startedAt + 1_000 / this.learned.perSecond,
    );
  }

  begin() {
    const at = this.clock.monotonic();
    const before = this.startedAt;
    this.startedAt = at;
    if (this.ceiling === null) this.used = [...this.used.filter((other) => at - other < USED_MS), at];
    return {
      /** Nothing was sent. */
      takeBack: () => {
        if (this.startedAt === at) this.startedAt = before;
      },
      answered: ({ verdict, announced, waitMs }: RateNews) => {
        const now = this.clock.monotonic();
        if (waitMs > 0) this.waitUntil = Math.max(this.waitUntil, now + waitMs);
        if (announced !== null) this.note({ kind: 'announced', perSecond: announced });
        if (verdict === 'accepted') this.note({ kind: 'accepted', count: 1 });
        if (verdict === 'limited')
          this.note({ kind: 'limited', elapsedMs: now - at, used: this.used.length });
      },
    };
  }

  private note(event: RateEvent): void {
    const before = this.learned;
    this.learned = learnRate(before, event, this.ceiling, this.clock.now());
    this.hasLearned ||= this.learned !== before;
  }
}

/** @returns the round trip in milliseconds. @param counts not when nothing was sent */
type EndTrip = (endedAt: number, counts: boolean) => number;

/**
 * The measured time between request and reply, as far as the rate limit may rely on it.
 *
 * The first round trips include connecting and are longer than later ones, so the first
 * `warmUp` do not count. After a quiet time the server may have closed every connection, and the warm-up begins
 * again; the smallest round trip stays, because a smaller one is never wrong.
 */
export function createRoundTrips(options: { warmUp: number; forgetAfterMs: number }) {
  let seen = 0;
  let running = 0;
  let lastEnd = 0;
  let smallest = Number.POSITIVE_INFINITY;

  return {
    /** Called when a request was written, with the moment in milliseconds. Call what it gives when its attempt has ended. */
    begin(at: number): EndTrip {
      if (running === 0 && at - lastEnd > options.forgetAfterMs) seen = 0;
      running++;
      return (endedAt, counts) => {
        const tripMs = endedAt - at;
        running--;
        lastEnd = endedAt;
        if (counts) {
          seen++;
          smallest = Math.min(smallest, tripMs);
        }
        return tripMs;
      };
    },
    /** The smallest round trip in milliseconds; 0 while too few were seen. */
    smallest: () => (seen > options.warmUp ? smallest : 0),
  };
}
