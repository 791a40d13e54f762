import { fault } from './reading.js';
import type { Reading } from './reading.js';

/** The words that Postgres itself reads as a boolean. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);

export function boolean(text: string): Reading<boolean> {
  const value = WORDS.get(text.trim().toLowerCase());
  if (value !== undefined) return { value };
  return fault(
    'type',
    'must be true or false',
    "Return a boolean from the query, for instance (column = 'Y') as the column.",
  );
}
