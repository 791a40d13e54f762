import { createCounter, type Counted, type Counter } from './counted.js';

/** More different values than this, and the rare ones are forgotten: none of them is in a tenth of the rows. */
const MOST_VALUES = 5_000;
/** Fewer rows may well share a value. */
const FEWEST = 3;

/** Finds the values of a column that stand in more than a tenth of the rows, in bounded memory. */
export interface RepeatedValues {
  see(value: string, name: string): void;
  /** At most nine, because each is in more than a tenth of `rows`; the most frequent first. */
  result(rows: number): readonly (Counted & { readonly value: string })[];
}

export function createRepeatedValues(): RepeatedValues {
  const counters = new Map<string, Counter>();
  return {
    see(value, name) {
      if (counters.size >= MOST_VALUES) {
        for (const [rare, { count }] of counters) if (count === 1) counters.delete(rare);
        // All of them are frequent: none may go, so nothing new comes in.
        if (counters.size >= MOST_VALUES && !counters.has(value)) return;
      }
      const counter = counters.get(value) ?? createCounter();
      counters.set(value, counter);
      counter.add(name);
    },
    result: (rows) =>
      [...counters]
        .map(([value, { count, sample }]) => ({ value, count, sample }))
        .filter(({ count }) => count >= FEWEST && count * 10 > rows)
        .sort((a, b) => b.count - a.count),
  };
}
