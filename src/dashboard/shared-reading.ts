/** A reading that several pages share. */
export interface SharedReading<T> {
  /** A value that is ten seconds old at most, or the next one. */
  read(): Promise<Aged<T>>;
  /** Drops the reading: a button changed the state. */
  forget(): void;
}

/** What was read, and how long ago its reading began. */
export interface Aged<T> {
  readonly value: T;
  readonly ageMs: number;
}

/** Shortest life of a reading, milliseconds. */
const LEAST_MS = 1_000;

/** A reading lives this many times as long as it took, so that reading costs a fixed share of time at most. */
const SHARE = 5;

/** A reading that takes longer is made in the background, milliseconds. */
const LONG_MS = 300;

/** No value is shown that is older, milliseconds: in an older one the trouble is missing for which somebody looks. */
const OLDEST_MS = 10_000;

/**
 * One reading at a time, and not too often: otherwise each open window would add its own every few seconds. During a
 * long reading callers get the one before while that is ten seconds old at most, unless it was forgotten; then they wait.
 * The age of a value counts from the begin of its reading. `now`: milliseconds that never jump.
 */
export function createSharedReading<T>(read: () => Promise<T>, now: () => number): SharedReading<T> {
  let current: { readonly value: Promise<T>; readonly began: number; goodUntil: number } | null = null;
  let before: { readonly value: T; readonly began: number; readonly tookMs: number } | null = null;

  const begin = (): NonNullable<typeof current> => {
    const began = now();
    const reading = { value: read(), began, goodUntil: Infinity };
    reading.value.then(
      (value) => {
        const tookMs = now() - began;
        reading.goodUntil = Math.min(now() + Math.max(LEAST_MS, SHARE * tookMs), began + OLDEST_MS);
        if (current === reading) before = { value, began, tookMs };
      },
      () => {
        reading.goodUntil = 0;
        // A failure is shown, not hidden behind the reading before.
        if (current === reading) before = null;
      },
    );
    return reading;
  };

  return {
    async read() {
      if (current === null || now() >= current.goodUntil) current = begin();
      const { value, began, goodUntil } = current;
      const underWay = goodUntil === Infinity;
      if (underWay && before !== null && before.tookMs > LONG_MS && now() - before.began <= OLDEST_MS)
        return { value: before.value, ageMs: now() - before.began };
      return { value: await value, ageMs: now() - began };
    },
    forget() {
      current = null;
      before = null;
    },
  };
}
