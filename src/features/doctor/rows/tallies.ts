import { uuidText } from '../../../core/domain/key.js';
import type { Row } from '../../../core/domain/row.js';
import type { Entity, MapContext, Mapped } from '../../../core/entities/entity.js';
import { HTML } from '../../../core/entities/plain-text.js';

/**
 * What is counted row by row while the rows pass once, in bounded memory. Each tally sees every row and gives its
 * result at the end.
 */

/** One row of the source, and what the worker makes of it. */
export interface SeenRow {
  /** How the record is called in messages: its key, without anything of an applicant. */
  readonly name: string;
  readonly row: Row;
  readonly mapped: Mapped;
}

/** Looks at all rows in turn, in bounded memory. */
export interface Tally<T> {
  see(row: SeenRow): void;
  result(): T;
}

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

/** In how many rows each column is absent: null, empty or blank. */
export function createAbsentTally(columns: readonly string[]): Tally<ReadonlyMap<string, number>> {
  const counts = new Map(columns.map((column) => [column, 0]));
  return {
    see({ row }) {
      for (const column of columns) {
        const value = row[column];
        if (value === null || value === undefined || (typeof value === 'string' && value.trim() === ''))
          counts.set(column, (counts.get(column) ?? 0) + 1);
      }
    },
    result: () => counts,
  };
}

/** Keys that come more than once. Rows come in the order of their keys, so equal ones are neighbours; only spellings of one UUID are apart. */
export function createDuplicateTally() {
  const duplicates = createCounter();
  const spelt = new Set<string>();
  let last: string | null = null;
  return {
    see(key: string, name: string): void {
      const uuid = uuidText(key);
      const other = uuid !== null && uuid !== key;
      if (key === last || (uuid !== null && spelt.has(uuid))) duplicates.add(name);
      if (other) spelt.add(uuid);
      last = key;
    },
    result: (): Counted => ({ count: duplicates.count, sample: duplicates.sample }),
  };
}

/** Characters that are looked at: anybody may write a long text, and HTML begins early. */
const LOOKED = 20_000;

/** HTML in columns that are sent as they are. */
export function createHtmlTally(
  { columns, parent }: Pick<Entity, 'columns' | 'parent'>,
  { plainText, lookups }: Pick<MapContext, 'plainText' | 'lookups'>,
): Tally<readonly (Counted & { readonly column: string })[]> {
  const skipped = new Set([
    'key',
    'row_version',
    parent?.column ?? '',
    ...plainText,
    ...Object.keys(lookups),
  ]);
  const looked = columns
    .map(({ name }) => name)
    .filter((name) => !skipped.has(name) && !/ur[il]$/.test(name));
  const found = new Map<string, Counter>();
  return {
    see({ name, row }) {
      for (const column of looked) {
        const value = row[column];
        if (typeof value !== 'string' || !HTML.test(value.slice(0, LOOKED))) continue;
        const counter = found.get(column) ?? createCounter();
        found.set(column, counter);
        counter.add(name);
      }
    },
    result: () => [...found].map(([column, { count, sample }]) => ({ column, count, sample })),
  };
}

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
