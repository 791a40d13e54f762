/** A reading that several pages share. */
export interface SharedReading<T> {
  read(): Promise<T>;
  /** Drops the reading: a button changed the state. */
  forget(): void;
}

/** Shortest life of a reading, milliseconds. */
const LEAST_MS = 1_000;

/** A reading lives this many times as long as it took, so that reading costs a fixed share of time at most. */
const SHARE = 5;

/** A reading that takes longer is made in the background, milliseconds. */
const LONG_MS = 300;

/**
 * One reading at a time, and not too often: otherwise each open window would add its own every few seconds. During a
 * long reading callers get the one before, unless it was forgotten. `now`: milliseconds that never jump.
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
          // A failure is shown, not hidden behind the reading before.
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
