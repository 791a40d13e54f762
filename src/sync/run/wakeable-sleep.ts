import type { Emit } from '../../domain/events.js';
import type { Clock } from '../../ports/clock.js';
import type { State } from '../../ports/state.js';

/** Waits that `wake` ends early; one that was woken before it begins ends at once. */
export interface WakeableSleep {
  /** Resolves after `ms`, or when woken; true: woken. Never rejects. */
  sleep(ms: number): Promise<boolean>;
  wake(): void;
}

/** `signal`: wakes when it aborts, too. */
export function createWakeableSleep(clock: Clock, signal: AbortSignal): WakeableSleep {
  let woken = signal.aborted;
  let sleeping: AbortController | null = null;
  const wake = () => {
    woken = true;
    sleeping?.abort();
  };
  signal.addEventListener('abort', wake, { once: true });
  return {
    async sleep(ms) {
      if (!woken) {
        sleeping = new AbortController();
        await clock.sleep(ms, sleeping.signal);
        sleeping = null;
      }
      const wasWoken = woken;
      woken = signal.aborted;
      return wasWoken;
    },
    wake,
  };
}

interface PushCount {
  /** Counts what each push sent, and passes all events on. */
  readonly emit: Emit;
  /** Resolves when everything so far is stored, as far as it can be. Never rejects. */
  counted(): Promise<void>;
}

/**
 * Adds what the pushes of a worker send to its last run: a push there is no part of a run, and the run that found the
 * records has often ended by then.
 */
export function countPushes({ runs }: Pick<State, 'runs'>, emit: Emit): PushCount {
  let storing = Promise.resolve();
  return {
    emit(event) {
      emit(event);
      if (event.type !== 'push-finished' || Object.keys(event.entities).length === 0) return;
      // The outcomes themselves are stored already; numbers of a run are not worth stopping the work for.
      storing = storing.then(() => runs.addPushed(event.entities)).catch(() => undefined);
    },
    counted: () => storing,
  };
}
