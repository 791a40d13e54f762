/** Keys that are shown. */
export const SAMPLES = 5;

/** A number of records, and the names of some of them. */
export interface Counted {
  readonly count: number;
  readonly sample: readonly string[];
}

export interface Counter extends Counted {
  add(name: string): void;
}

/** Counts records and keeps the first names. */
export function createCounter(): Counter {
  const sample: string[] = [];
  let count = 0;
  return {
    add(name) {
      count += 1;
      if (sample.length < SAMPLES) sample.push(name);
    },
    get count() {
      return count;
    },
    sample,
  };
}
