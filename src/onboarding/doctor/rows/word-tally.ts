import type { Tally } from './tally.js';

export interface UnknownWord {
  readonly word: string;
  readonly count: number;
}

/** Different words of a field that are counted; a column of free text has as many as rows. */
const MOST_WORDS = 1_000;

/** The words that were never mapped. They are codes of a table, not values of a person. */
export function createWordTally(): Tally<ReadonlyMap<string, readonly UnknownWord[]>> {
  const fields = new Map<string, Map<string, number>>();
  return {
    see({ mapped }) {
      for (const { field, code, value } of mapped.warnings) {
        if (code !== 'word' || value === undefined) continue;
        const words = fields.get(field) ?? new Map<string, number>();
        fields.set(field, words);
        if (words.has(value) || words.size < MOST_WORDS) words.set(value, (words.get(value) ?? 0) + 1);
      }
    },
    result: () =>
      new Map(
        [...fields].map(([field, words]) => [
          field,
          [...words].map(([word, count]) => ({ word, count })).sort((a, b) => b.count - a.count),
        ]),
      ),
  };
}
