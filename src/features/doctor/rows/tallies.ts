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

/** All of these rows, with a few keys of them. */
export function totalOf(some: readonly Counted[]): Counted {
  return {
    count: some.reduce((sum, { count }) => sum + count, 0),
    sample: some.flatMap(({ sample }) => sample).slice(0, 3),
  };
}

/** A value of a column, shortened, with the rows that have it. */
export interface SeenValue extends Counted {
  readonly value: string;
}

/** Different values of a column that are counted, and how much of each is kept. */
const MOST_VALUES = 200;
const LONGEST_VALUE = 80;

/** The values of each column that has few, the most frequent first; a column with more is not there. Each element of a list counts. */
export function createValueTally(
  columns: readonly string[],
): Tally<ReadonlyMap<string, readonly SeenValue[]>> {
  const seen = new Map(columns.map((column) => [column, new Map<string, Counter>()]));
  return {
    see({ name, row }) {
      for (const [column, values] of seen) {
        if (values.size > MOST_VALUES) continue;
        const value = row[column];
        if (value === null || value === undefined || value === '') continue;
        const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_VALUE);
        const counter = values.get(text) ?? createCounter();
        values.set(text, counter);
        counter.add(name);
      }
    },
    result: () =>
      new Map(
        [...seen]
          .filter(([, values]) => values.size <= MOST_VALUES)
          .map(([column, values]) => [
            column,
            [...values]
              .map(([value, { count, sample }]) => ({ value, count, sample }))
              .sort((a, b) => b.count - a.count),
          ]),
      ),
  };
}

/** What values look like that does not belong into their column. */
type Trait = keyof typeof TRAITS;

/** Texts that everybody reads, and that nobody should find a person in. */
export const PUBLIC_TEXTS = ['title', 'description', 'qualification', 'about'];

const TRAITS = {
  contact: {
    columns: PUBLIC_TEXTS,
    test: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,}|(?<![\d.,])(?:\+62|0)[ -]?8\d{1,3}[ -]?\d{3,4}[ -]?\d{3,5}(?!\d)|\+\d[\d ()-]{8,}\d|\b(?:telp|hp|wa)[.: ]{0,4}[+\d][\d -]{7,}/i,
  },
  nik: {
    columns: [...PUBLIC_TEXTS, 'name', 'address'],
    test: /(?<!\d)[1-9]\d{5}[0-7]\d[01]\d{3}\d{4}(?!\d)/,
  },
  test: {
    columns: ['title', 'name', 'description'],
    test: /^(?:te?st?(?:ing)?|asdf\w*|qwert\w*|coba(?: coba)?|dummy|contoh|x{3,}|a{3,}|123+)(?:[ _-]*\d+)?$|lorem ipsum|^(?:demo|dummy|sandbox)\b|\b(?:demo|dummy|sandbox)$/i,
  },
  number: { columns: [...PUBLIC_TEXTS, 'name'], test: /^\d[\d.,\s-]*$/ },
  prose: { columns: ['skills'], test: /^(?=.{16})\S+(?:\s+\S+){3,}$/ },
} as const satisfies Readonly<Record<string, { readonly columns: readonly string[]; readonly test: RegExp }>>;

interface SeenTrait extends Counted {
  readonly trait: Trait;
  readonly column: string;
}

/** Rows whose text looks like something else than its column is for. Of a list half of the elements decide. */
export function createTraitTally(): Tally<readonly SeenTrait[]> {
  const found = new Map<string, { trait: Trait; column: string; counter: Counter }>();
  return {
    see({ name, row }) {
      for (const [trait, { columns, test }] of Object.entries(TRAITS))
        for (const column of columns) {
          if (!textsOf(row[column], column === 'skills').some((text) => test.test(text))) continue;
          const key = `${trait} ${column}`;
          const known = found.get(key) ?? { trait: trait as Trait, column, counter: createCounter() };
          found.set(key, known);
          known.counter.add(name);
        }
    },
    result: () =>
      [...found.values()].map(({ counter: { count, sample }, ...rest }) => ({ ...rest, count, sample })),
  };
}

function textsOf(value: unknown, isList: boolean): readonly string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  if (typeof value !== 'string') return [];
  const text = value.slice(0, LOOKED);
  return (isList ? text.split(',') : [text]).map((part) => part.trim());
}

/** Pay by its order of size: tenths of its logarithm. */
type PaySizes = ReadonlyMap<string, ReadonlyMap<number, Counted>>;

export function createPayTally(): Tally<PaySizes> {
  const seen = new Map<string, Map<number, Counter>>();
  return {
    see({ name, row }) {
      for (const column of ['min_salary_amount', 'max_salary_amount', 'price']) {
        const amount = Number(row[column] ?? 0);
        const currency = row[column.replace('amount', 'currency')] ?? 'IDR';
        if (!(amount > 0)) continue;
        const key = `${column} ${typeof currency === 'string' && column !== 'price' ? currency.toUpperCase() : 'IDR'}`;
        const sizes = seen.get(key) ?? new Map<number, Counter>();
        const size = Math.floor(10 * Math.log10(amount));
        const counter = sizes.get(size) ?? createCounter();
        seen.set(key, sizes.set(size, counter));
        counter.add(name);
      }
    },
    result: () => seen,
  };
}
