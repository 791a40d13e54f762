import type { Row } from '../../../core/domain/row.js';
import type { Entity, MapContext, Mapped } from '../../../core/entities/entity.js';
import { HTML } from '../../../core/entities/plain-text.js';
import { isTestText, reservedName } from './placeholders.js';

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
interface Tally<T> {
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

/** Counts records and keeps the first names. */
export class Counter implements Counted {
  count = 0;
  readonly sample: string[] = [];

  add(name: string): void {
    this.count += 1;
    if (this.sample.length < SAMPLES) this.sample.push(name);
  }
}

/** All of these rows, with a few keys of them. */
export function totalOf(some: readonly Counted[]): Counted {
  return {
    count: some.reduce((sum, { count }) => sum + count, 0),
    sample: some.flatMap(({ sample }) => sample).slice(0, 3),
  };
}

/** The counter of a name, which is made when there is none. */
function counterOf<Name>(counters: Map<Name, Counter>, name: Name): Counter {
  const counter = counters.get(name) ?? new Counter();
  counters.set(name, counter);
  return counter;
}

/** A value of a column, shortened, with the rows that have it. */
export interface SeenValue extends Counted {
  readonly value: string;
}

/** The values of a column. */
export interface ColumnValues {
  /** In how many rows it is null, empty or blank. */
  readonly absent: number;
  /** The most frequent first. */
  readonly values: readonly SeenValue[];
  /** There are more of them; those that came once may have been forgotten. */
  readonly isMore: boolean;
}

/** Different values of a column that are counted, and how much of each is kept. */
const MOST_VALUES = 1_000;
const LONGEST_VALUE = 80;

/** The values of each column, in bounded memory: where there are too many, those that are rare are forgotten. */
export function createValueTally(columns: readonly string[]): Tally<ReadonlyMap<string, ColumnValues>> {
  const seen = columns.map((column) => ({
    column,
    absent: 0,
    missed: 0,
    counters: new Map<string, Counter>(),
  }));
  return {
    see({ name, row }) {
      for (const known of seen) {
        const { column, counters } = known;
        const text = valueText(row[column]).slice(0, LONGEST_VALUE);
        if (text.trim() === '') known.absent += 1;
        else if (counters.size < MOST_VALUES || counters.has(text)) counterOf(counters, text).add(name);
        else {
          // Not at each of them: where the others are frequent, none may go.
          if (known.missed % MOST_VALUES === 0) forgetRare(counters);
          known.missed += 1;
        }
      }
    },
    result: () =>
      new Map(
        seen.map(({ column, absent, missed, counters }) => [
          column,
          {
            absent,
            isMore: missed > 0,
            values: [...counters]
              .map(([value, { count, sample }]) => ({ value, count, sample }))
              .sort((a, b) => b.count - a.count),
          },
        ]),
      ),
  };
}

function forgetRare(counters: Map<string, Counter>): void {
  for (const [value, { count }] of counters) if (count === 1) counters.delete(value);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Characters that are looked at: anybody may write a long text, and HTML begins early. */
const LOOKED = 20_000;

/** Texts that everybody reads, and that nobody should find a person in. */
export const PUBLIC_TEXTS = ['title', 'description', 'qualification', 'about'];
/** Addresses, each of one record. */
const ADDRESSES = ['email', 'logo_uri', 'cover_uri', 'website'];

/** What values look like that does not belong into their column. */
const TRAITS = {
  contact: {
    columns: PUBLIC_TEXTS,
    has: matches(
      /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,}|(?<![\d.,])(?:\+62|0)[ -]?8\d{1,3}[ -]?\d{3,4}[ -]?\d{3,5}(?!\d)|\+\d[\d ()-]{8,}\d|\b(?:telp|hp|wa)[.: ]{0,4}[+\d][\d -]{7,}/i,
    ),
  },
  nik: {
    columns: [...PUBLIC_TEXTS, 'name', 'address'],
    has: matches(/(?<!\d)[1-9]\d{5}[0-7]\d[01]\d{3}\d{4}(?!\d)/),
  },
  test: {
    columns: ['title', 'name', 'description'],
    has: isTestText,
  },
  number: { columns: [...PUBLIC_TEXTS, 'name'], has: matches(/^\d[\d.,\s-]*$/) },
  prose: { columns: ['skills'], has: matches(/^(?=.{16})\S+(?:\s+\S+){3,}$/) },
  nowhere: { columns: ADDRESSES, has: (text) => reservedName(text) !== null },
} satisfies Readonly<Record<string, TraitTest>>;

interface TraitTest {
  readonly columns: readonly string[];
  readonly has: (text: string) => boolean;
}

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

interface SeenTrait extends Counted {
  readonly trait: string;
  readonly column: string;
}

/** Rows whose text looks like something else than its column is for. Of a list one element is enough. */
export function createTraitTally(
  traits: Readonly<Record<string, TraitTest>> = TRAITS,
): Tally<readonly SeenTrait[]> {
  const looked = Object.entries(traits).flatMap(([trait, { columns, has }]) =>
    columns.map((column) => ({ trait, column, has, counter: new Counter() })),
  );
  return {
    see({ name, row }) {
      for (const { column, has, counter } of looked)
        if (textsOf(row[column], column === 'skills').some(has)) counter.add(name);
    },
    result: () =>
      looked.flatMap(({ trait, column, counter: { count, sample } }) =>
        count === 0 ? [] : [{ trait, column, count, sample }],
      ),
  };
}

function textsOf(value: unknown, isList: boolean): readonly string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  if (typeof value !== 'string') return [];
  const text = value.slice(0, LOOKED);
  return (isList ? text.split(',') : [text]).map((part) => part.trim());
}

/** HTML in columns that are sent as they are. */
export function createHtmlTally(
  { columns, parent }: Pick<Entity, 'columns' | 'parent'>,
  { plainText, lookups }: Pick<MapContext, 'plainText' | 'lookups'>,
): Tally<readonly SeenTrait[]> {
  const skipped = ['key', 'row_version', parent?.column, ...plainText, ...Object.keys(lookups)];
  const looked = columns
    .map(({ name }) => name)
    .filter((name) => !skipped.includes(name) && !/ur[il]$/.test(name));
  return createTraitTally({ html: { columns: looked, has: matches(HTML) } });
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
        counterOf(sizes, Math.floor(10 * Math.log10(amount))).add(name);
        seen.set(key, sizes);
      }
    },
    result: () => seen,
  };
}
