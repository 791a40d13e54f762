/** Work that ends with signals or after a time, and a process that lives as long as somebody waits. */

/** Does `work` with a signal that aborts with `signal`, and after `ms` with a `TimeoutError`. Errors: those of `work`. */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new DOMException('It took too long.', 'TimeoutError')), ms);
  try {
    return await untilFirstAbort([signal, over.signal], work);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does `work` with a signal that aborts with the first of `sources`, for its reason. AbortSignal.any is not safe here: in
 * Node (20 to 26) its sources, a time-out for instance, may be collected as garbage before they abort, and then it never
 * aborts. Errors: those of `work`.
 */
export async function untilFirstAbort<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = new AbortController();
  const listening = sources.map((source) => {
    const abort = () => joined.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  try {
    return await work(joined.signal);
  } finally {
    listening.forEach((stop) => stop());
  }
}

/** Resolves when the signal aborts, at once if it already has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * The platform counts requests in any sliding second; three more milliseconds cover rounding of timers and clocks on both
 * sides. A process that takes over the sending waits this long after the last request of the other one.
 */
export const QUIET_MS = 1_003;

/** Keeps the process alive between `begin` and `end`, because the timers that somebody waits for do not. */
export function createKeepAlive(): { begin(): void; end(): void } {
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      if (open++ === 0) timer = setInterval(() => undefined, 2 ** 31 - 1);
    },
    end() {
      if (--open === 0) clearInterval(timer);
    },
  };
}

/** Waits that `wake` ends early; one that was woken before it begins ends at once. */
export interface WakeableSleep {
  /** Resolves after `ms`, or when woken; true: woken. Never rejects. */
  sleep(ms: number): Promise<boolean>;
  wake(): void;
}

/** `signal`: wakes when it aborts, too. */
export function createWakeableSleep(
  clock: { sleep(ms: number, signal: AbortSignal): Promise<void> },
  signal: AbortSignal,
): WakeableSleep {
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

/** The results of work side by side. Rejects with the first failure, but only when nothing is under way any more. */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Longest work without a pause, milliseconds: leases are renewed and probes answered between. */
const PAUSE_AFTER_MS = 50;

/** Pauses of a loop whose work would hold up everything else in the process: leases, probes, other requests. */
export interface Pauses {
  isDue(): boolean;
  take(): Promise<void>;
}

export function createPauses(): Pauses {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > PAUSE_AFTER_MS,
    async take() {
      await new Promise((resolve) => void setImmediate(resolve));
      since = performance.now();
    },
  };
}
