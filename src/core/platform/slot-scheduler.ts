import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
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
  // Paused but for the moment in which the first attempt starts with the slot in hand.
  const waiting = new PQueue({ concurrency, autoStart: false });
  const alive = createKeepAlive();
  const wanted = (): number => Math.min(waiting.size, concurrency - waiting.pending);
  let inHand: Slot | null = null;

  const startAttempts = (): void => {
    while (wanted() > 0) {
      inHand = source.take();
      if (inHand === null) return;
      waiting.start();
    }
  };
  const takeSlot = (): Slot => {
    waiting.pause();
    if (inHand === null) throw new Error('an attempt started without a slot');
    const slot = inHand;
    inHand = null;
    return slot;
  };

  const source = createSource({ wanted, wake: startAttempts });
  // An attempt has ended.
  waiting.on('next', startAttempts);

  return {
    schedule<T>(attempt: (place: Place) => Promise<T>, urgent = false, signal?: AbortSignal): Promise<T> {
      // Not the signal itself: the queue would also give up an attempt that has started.
      const waits = new AbortController();
      const giveUp = (): void => waits.abort(signal?.reason);
      if (signal?.aborted) giveUp();
      if (signal) {
        // Node warns of more than ten listeners, but here each ends with its wait.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', giveUp, { once: true });
      }
      alive.begin();
      const started = async (): Promise<T> => {
        signal?.removeEventListener('abort', giveUp);
        const slot = takeSlot();
        try {
          return await attempt(slot);
        } finally {
          slot.ended();
        }
      };
      const ended = waiting.add(started, { priority: urgent ? 1 : 0, signal: waits.signal });
      startAttempts();
      return ended.finally(() => alive.end());
    },
  };
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
