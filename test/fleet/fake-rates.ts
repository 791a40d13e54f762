import type { SharedRates } from '../../src/ports/tenants.js';

export interface FakeRates extends SharedRates {
  /** The counts of all reservations. */
  readonly counts: readonly number[];
  /** Moments of `performance.now()` that were handed out. */
  readonly slots: readonly number[];
  /** From now on everything fails; undefined: nothing. */
  failWith(error: Error | undefined): void;
  /** The answer to a reservation takes so long, milliseconds. */
  delayAnswers(ms: number): void;
}

/** Rates in memory, whose clock is far from that of the process. */
export function fakeRates(): FakeRates {
  const AHEAD = 1_700_000_000_000;
  const counts: number[] = [];
  const slots: number[] = [];
  let nextAt = 0;
  let pausedUntil = 0;
  let error: Error | undefined;
  let delayMs = 0;
  const answer = async <T>(value: () => T): Promise<T> => {
    if (error) throw error;
    const answered = value();
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return answered;
  };
  return {
    counts,
    slots,
    failWith: (given) => (error = given),
    delayAnswers: (ms) => (delayMs = ms),
    now: () => answer(() => AHEAD + performance.now()),
    reserve: (_credential, ratePerSecond, count) =>
      answer(() => {
        const now = performance.now();
        const first = Math.max(now, nextAt, pausedUntil);
        const stepMs = 1_050 / ratePerSecond;
        nextAt = first + count * stepMs;
        counts.push(count);
        slots.push(...Array.from({ length: count }, (_, index) => first + index * stepMs));
        return { at: AHEAD + now, waitMs: first - now, stepMs, count };
      }),
    pauseLeft: () => answer(() => Math.max(0, pausedUntil - performance.now())),
    pause: (_credential, ms) =>
      answer(() => void (pausedUntil = Math.max(pausedUntil, performance.now() + ms))),
    pauses: () => answer(() => []),
    endPause: () => answer(() => false),
  };
}
