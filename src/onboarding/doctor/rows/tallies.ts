import { uuidText } from '../../../domain/key.js';
import type { Row } from '../../../domain/row.js';
import type { Entity, MapContext, Mapped } from '../../../entities/entity.js';

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

interface Counter extends Counted {
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

/** Keys that come more than once. */
interface DuplicateTally {
  see(key: string, name: string): void;
  result(): Counted;
}

/** Rows come in the order of their keys, so equal ones are neighbours; only spellings of one UUID are apart. */
export function createDuplicateTally(): DuplicateTally {
  const duplicates = createCounter();
  const spelt = new Set<string>();
  let last: string | null = null;
  return {
    see(key, name) {
      const uuid = uuidText(key);
      const other = uuid !== null && uuid !== key;
      if (key === last || (uuid !== null && spelt.has(uuid))) duplicates.add(name);
      if (other) spelt.add(uuid);
      last = key;
    },
    result: () => ({ count: duplicates.count, sample: duplicates.sample }),
  };
}

/** Tags and entities that people write in editors; a lone `<` or `&` is none. */
const HTML =
  /<\/?(?:p|br|div|span|ul|ol|li|b|i|u|strong|em|a|h[1-6]|table|tbody|tr|td|th|img|script|style|font|hr|blockquote|pre|code)(?:\s[^<>]*)?\/?>|&(?:nbsp|amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5}|[lr][sd]quo|hellip|bull|[mn]dash);/i;

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

/** Values that probably stand for "unknown". */
export type Placeholder = Counted &
  (
    | {
        /** The same values in many rows. */
        readonly kind: 'repeated';
        readonly column: string;
        /** Of each value enough to find it, nothing of a person; empty: not shown. */
        readonly shown: readonly string[];
      }
    | {
        /** Addresses that lead nowhere, each by what shows it: `example.com`, `.test`. */
        readonly kind: 'reserved';
        readonly columns: readonly { readonly column: string; readonly count: number }[];
        readonly names: readonly string[];
      }
    /** Coordinates 0 and 0. */
    | { readonly kind: 'origin' }
  );

/** Columns whose value belongs to one record. */
const OWN = ['email', 'phone', 'logo_uri', 'cover_uri', 'website'];

/** Values that probably stand for "unknown": the same contact in more than a tenth of the rows, reserved names, 0/0. */
export function createPlaceholderTally(): Tally<readonly Placeholder[]> {
  const values = new Map(OWN.map((column) => [column, createRepeatedValues()]));
  const reserved = createCounter();
  const reservedBy = new Map<string, Counter>();
  const names = new Set<string>();
  const origin = createCounter();
  let rows = 0;

  const seeReserved = (column: string, name: string, found: string): void => {
    names.add(found);
    const counter = reservedBy.get(column) ?? createCounter();
    reservedBy.set(column, counter);
    counter.add(name);
  };

  return {
    see({ name, row }) {
      rows += 1;
      let isReserved = false;
      for (const column of OWN) {
        const value = textOf(row, column);
        if (value === null) continue;
        const found = column === 'phone' ? null : reservedName(value);
        // One finding is enough for a value that is both.
        if (found === null) values.get(column)?.see(value.toLowerCase(), name);
        else seeReserved(column, name, found);
        isReserved ||= found !== null;
      }
      if (isReserved) reserved.add(name);
      const [latitude, longitude] = [textOf(row, 'latitude'), textOf(row, 'longitude')];
      if (latitude !== null && longitude !== null && Number(latitude) === 0 && Number(longitude) === 0)
        origin.add(name);
    },
    result: () => [
      ...[...values].flatMap(([column, repeated]): Placeholder[] => {
        const found = repeated.result(rows);
        const [first] = found;
        if (first === undefined) return [];
        const count = found.reduce((sum, each) => sum + each.count, 0);
        const shown = found.map(({ value }) => shownOf(column, value));
        return [{ kind: 'repeated', column, shown, count, sample: first.sample }];
      }),
      ...(reserved.count > 0
        ? [
            {
              kind: 'reserved',
              columns: [...reservedBy].map(([column, { count }]) => ({ column, count })),
              names: [...names].sort(),
              count: reserved.count,
              sample: reserved.sample,
            } as const,
          ]
        : []),
      ...(origin.count > 0 ? [{ kind: 'origin', count: origin.count, sample: origin.sample } as const] : []),
    ],
  };
}

function textOf(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Of an e-mail address its domain, of a web address its host and path; nothing of a telephone number. */
function shownOf(column: string, value: string): string {
  if (column === 'email') return value.includes('@') ? `…@${value.slice(value.lastIndexOf('@') + 1)}` : '';
  if (column === 'phone') return '';
  try {
    const { host, pathname } = new URL(value);
    return `${host}${pathname}`;
  } catch {
    return '';
  }
}

/** More different values than this, and the rare ones are forgotten: none of them is in a tenth of the rows. */
const MOST_VALUES = 5_000;
/** Fewer rows may well share a value. */
const FEWEST = 3;

/** Finds the values of a column that stand in more than a tenth of the rows, in bounded memory. */
interface RepeatedValues {
  see(value: string, name: string): void;
  /** At most nine, because each is in more than a tenth of `rows`; the most frequent first. */
  result(rows: number): readonly (Counted & { readonly value: string })[];
}

function createRepeatedValues(): RepeatedValues {
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

const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@\s]*@)?([^/?#:@\s]+)/i;
/** Nobody can be reached at one of them (RFC 2606). */
const DOMAIN = /(?:^|\.)(example\.(?:com|net|org))$/;
const ENDING = /(?:^|\.)(example|test|invalid|localhost)$/;
/** What people type in to see whether the form works. */
const TEST_MAILBOX = /^test\d*@/i;

/**
 * What makes an address of the web or of e-mail one that leads nowhere: `example.com`, `.example`, `test@…`. Null: it may be
 * real. The same for all addresses of a kind, so that many of them are one finding. Pure.
 */
export function reservedName(address: string): string | null {
  const host = HOST.exec(address.trim())?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  const domain = DOMAIN.exec(host)?.[1];
  if (domain !== undefined) return domain;
  const ending = ENDING.exec(host)?.[1];
  if (ending !== undefined && (address.includes('@') || host.includes('.') || ending === 'localhost'))
    return ending === 'localhost' ? ending : `.${ending}`;
  return TEST_MAILBOX.test(address.trim()) ? 'test@…' : null;
}
