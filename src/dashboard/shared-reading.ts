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

/** Nobody is kept waiting this long for what was known a moment ago, milliseconds. */
const LONG_MS = 300;

/**
 * One reading at a time, and not more often than it can be afforded: pages that renew themselves would otherwise add
 * up with every window that is left open. A reading that takes long is made in the background: until it is there the
 * one before is given, unless that was forgotten. `now`: milliseconds that never jump.
 */
export function createSharedReading<T>(read: () => Promise<T>, now: () => number): SharedReading<T> {
  let current: { readonly value: Promise<T>; goodUntil: number } | null = null;
  let before: { readonly value: T; readonly tookMs: number } | null = null;
  return {
    read() {
      if (current && now() < current.goodUntil) {
        const underWay = current.goodUntil === Infinity;
        return underWay && before && before.tookMs > LONG_MS ? Promise.resolve(before.value) : current.value;
      }
      const began = now();
      const reading = { value: read(), goodUntil: Infinity };
      current = reading;
      reading.value.then(
        (value) => {
          const tookMs = now() - began;
          reading.goodUntil = now() + Math.max(LEAST_MS, SHARE * tookMs);
          if (current === reading) before = { value, tookMs };
        },
        () => {
          reading.goodUntil = 0;
          // What cannot be read now is told, not hidden behind what was.
          if (current === reading) before = null;
        },
      );
      return before && before.tookMs > LONG_MS ? Promise.resolve(before.value) : reading.value;
    },
    forget() {
      current = null;
      before = null;
    },
  };
}
