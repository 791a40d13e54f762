import type { Clock } from '../../ports/clock.js';

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
