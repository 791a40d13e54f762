import { setMaxListeners } from 'node:events';
import type { Place, RateLimit } from '../ports/platform.js';
import { createKeepAlive } from '../runtime/time.js';

/**
 * Who waits, who is next and how many run: what every rate limit does, wherever its slots come from. A slot lets one
 * attempt start. rate-limit.ts makes them of the places that this process has, fleet/shared-rate-limit.ts of moments that the
 * database hands out.
 *
 * An attempt joins the waiting list, an urgent one before all that are not. It starts when it is the first, fewer than
 * `concurrency` run and the source has a slot. One whose signal aborts leaves the list at once, and its slot is the next
 * one's.
 *
 * A process in which no attempt waits or runs may exit: timers of a source must not keep it alive.
 */
export function createSlotScheduler(
  concurrency: number,
  createSource: (demand: Demand) => SlotSource,
): RateLimit {
  const waiting: Waiting[] = [];
  let running = 0;
  const alive = createKeepAlive();
  const wanted = (): number => Math.min(waiting.length, concurrency - running);

  const startAttempts = (): void => {
    while (wanted() > 0) {
      const slot = source.take();
      if (slot === null) return;
      void run(waiting.shift()!, slot);
    }
  };

  const run = async ({ attempt }: Waiting, slot: Slot): Promise<void> => {
    running++;
    await attempt(slot);
    running--;
    slot.ended();
    startAttempts();
  };

  const source = createSource({ wanted, wake: startAttempts });

  return {
    schedule<T>(attempt: (place: Place) => Promise<T>, urgent = false, signal?: AbortSignal): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
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
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          alive.end();
          reject(signal?.reason as Error);
        };
        alive.begin();
        if (signal) {
          // Node warns of more than ten listeners, but here each ends with its wait.
          setMaxListeners(0, signal);
          signal.addEventListener('abort', giveUp, { once: true });
        }
        const usual = urgent ? waiting.findIndex((other) => !other.urgent) : -1;
        waiting.splice(usual < 0 ? waiting.length : usual, 0, entry);
        startAttempts();
      });
    },
  };
}

/** An attempt that waits for its slot. */
interface Waiting {
  readonly urgent: boolean;
  /** Never rejects. */
  attempt(place: Place): Promise<void>;
}

/** What lets one attempt start. */
interface Slot extends Place {
  /** The attempt has ended, released or not. */
  ended(): void;
}

/** Where slots come from. */
interface SlotSource {
  /** A slot for an attempt that starts now; null: not yet. Then the source calls `wake` when it may have one. */
  take(): Slot | null;
}

interface Demand {
  /** How many attempts would start now if there were slots. */
  wanted(): number;
  wake(): void;
}
