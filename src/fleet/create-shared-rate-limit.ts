import { setMaxListeners } from 'node:events';
import type { Clock } from '../ports/clock.js';
import type { Place, RateLimit } from '../ports/platform.js';
import type { SharedRates } from '../ports/tenants.js';
import { createKeepAlive } from '../runtime/time.js';
import { createBlockSource } from './create-block-source.js';
import type { Opening } from './create-opening.js';
import type { SharedClock } from './create-shared-clock.js';

/** Most slots that are reserved at a time: more would wait unused at one tenant while others have work. */
const BLOCK = 5;
/**
 * A slot that is missed by more than this is not used any more, milliseconds. The step between slots bears 50; the rest is
 * for the way from here to the platform, which at the start of a replica takes 30.
 */
const MISSED_MS = 20;
/** How soon a slot is checked again that came while a connection opens, milliseconds. */
const LOOK_MS = 5;
/** How long after a failure of the database it is asked again, milliseconds. */
const RETRY_MS = 1_000;

export interface SharedRateLimitOptions {
  readonly rates: SharedRates;
  /** Whose rate it is (`credentialText`). */
  readonly credential: string;
  /** Most requests of all processes in any sliding second at the server; below 1: one in 1/rate seconds. */
  readonly ratePerSecond: number;
  /** Most attempts at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** One for all limits of a process: what the first answers of a limit would be too late to say, others have learned. */
  readonly databaseClock: SharedClock;
  /** One for all limits of a process and credential, which share connections. */
  readonly opening: Opening;
  /**
   * Attempts also need a place of this limit, which they get first. It must count places, as that of createRateLimit: an
   * attempt keeps its place while it waits for its slot.
   */
  readonly within?: RateLimit | undefined;
}

/**
 * A rate that several processes share: each sends at the times that the database hands out, so that requests of all
 * leave evenly. A time is never made up for: what comes too late for its slot waits for another.
 *
 * There is one reservation at a time, for no more attempts than wait and have a connection. The next is made when the
 * first slot of the last has come. So limits with work take turns, and the rest of a block covers the way to the database.
 *
 * While the database fails, attempts wait, and it is asked again.
 *
 * A process in which no attempt waits or runs may exit.
 */
export function createSharedRateLimit(options: SharedRateLimitOptions): RateLimit {
  const { ratePerSecond, concurrency, clock, opening, within } = options;
  const blocks = createBlockSource(options);
  // A block lasts no longer than a second, because a pause is looked at before each.
  const most = Math.min(BLOCK, Math.max(1, Math.floor(ratePerSecond)));
  const alive = createKeepAlive();
  const waiting: Waiting[] = [];
  /** Ascending. */
  let slots: number[] = [];
  let running = 0;
  /** Attempts at a time: the first goes alone, because it opens a connection and so arrives later than others. */
  let places = 1;
  let reserving = false;
  let timer: NodeJS.Timeout | undefined;

  const missing = (): number =>
    Math.min(most, waiting.length - slots.length, places - running - slots.length);

  const reserve = async (): Promise<void> => {
    if (reserving) return;
    reserving = true;
    // Attempts that come in the same moment share a reservation.
    await Promise.resolve();
    while (missing() > 0) {
      try {
        const block = await blocks.next(missing());
        slots.push(...block);
        if (block.length > 0) break;
      } catch {
        await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    reserving = false;
    useSlots();
  };

  /** Runs attempts whose slots have come, and looks again at the next. */
  const useSlots = (): void => {
    clearTimeout(timer);
    const now = clock.monotonic();
    slots = slots.filter((at) => now - at <= MISSED_MS);
    const mayRun = () => waiting.length > 0 && running < places && !opening.isAwaited();
    while (mayRun() && (slots[0] ?? Infinity) <= now) void run(waiting.shift()!, slots.shift()!);
    if (waiting.length > 0 && slots[0] !== undefined) {
      const soonest = opening.isAwaited() ? LOOK_MS : 0;
      timer = setTimeout(useSlots, Math.max(soonest, Math.ceil(slots[0] - now))).unref();
    }
    if (missing() > 0) void reserve();
  };

  const run = async ({ attempt }: Waiting, slot: number): Promise<void> => {
    running++;
    let released = false;
    const ended = opening.begin();
    await attempt({
      release: () => (released = true),
      // A slot is a time: when its request left changes nothing.
      written: () => undefined,
    });
    running--;
    ended(!released);
    if (released) slots.unshift(slot);
    else places = concurrency;
    useSlots();
  };

  const schedule: RateLimit['schedule'] = <T>(
    attempt: (place: Place) => Promise<T>,
    urgent = false,
    signal?: AbortSignal,
  ) =>
    new Promise<T>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        alive.end();
        reject(signal?.reason as Error);
      };
      const entry: Waiting = {
        urgent,
        async attempt(place) {
          signal?.removeEventListener('abort', giveUp);
          try {
            resolve(await attempt(place));
          } catch (error) {
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passed on as it came
            reject(error);
          } finally {
            alive.end();
          }
        },
      };
      alive.begin();
      if (signal) {
        // Node warns of more than ten listeners, but here each ends with its wait.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', giveUp, { once: true });
      }
      const usual = urgent ? waiting.findIndex((other) => !other.urgent) : -1;
      waiting.splice(usual < 0 ? waiting.length : usual, 0, entry);
      useSlots();
    });

  return within ? { schedule: inPlaceOf(within, schedule) } : { schedule };
}

/** An attempt that waits for its slot. */
interface Waiting {
  readonly urgent: boolean;
  /** Never rejects. */
  attempt(place: Place): Promise<void>;
}

/** `schedule` within a place of another limit. */
function inPlaceOf(within: RateLimit, schedule: RateLimit['schedule']): RateLimit['schedule'] {
  return (attempt, urgent, signal) =>
    within.schedule(
      async (outer) => {
        let begun = false;
        try {
          return await schedule(
            (place) => {
              begun = true;
              const release = (): void => {
                outer.release();
                place.release();
              };
              return attempt({ ...place, release });
            },
            urgent,
            signal,
          );
        } finally {
          if (!begun) outer.release();
        }
      },
      urgent,
      signal,
    );
}
