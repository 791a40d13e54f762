/** What several people look at, read once for all of them. */
export interface SharedReading<T> {
  read(): Promise<T>;
  /** What was read before is no longer good: somebody has pressed a button. */
  forget(): void;
}

/** Shortest time for which a reading is good, milliseconds. */
const LEAST_MS = 1_000;

/** A reading that took this long is good for so many times as long, so that looking costs a fixed share at most. */
const SHARE = 5;

/**
 * One reading at a time, and not more often than it can be afforded: pages that renew themselves would otherwise add
 * up with every window that is left open. `now`: milliseconds that never jump.
 */
export function createSharedReading<T>(read: () => Promise<T>, now: () => number): SharedReading<T> {
  let current: { readonly value: Promise<T>; goodUntil: number } | null = null;
  return {
    read() {
      if (current && now() < current.goodUntil) return current.value;
      const began = now();
      const reading = { value: read(), goodUntil: Infinity };
      current = reading;
      reading.value.then(
        () => (reading.goodUntil = now() + Math.max(LEAST_MS, SHARE * (now() - began))),
        () => (reading.goodUntil = 0),
      );
      return reading.value;
    },
    forget() {
      current = null;
    },
  };
}
