import type { Row } from '../../../core/domain/row.js';
import { UNKNOWN } from '../../../core/entities/text-values.js';
import { type Counted, type Counter, createCounter, type Tally } from './tallies.js';

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
        // The check `doubtful` has words that stand for nothing.
        if (value === null || UNKNOWN.test(value)) continue;
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

/**
 * What makes an address of the web or of e-mail one that leads nowhere: `example.com`, `.example`, `test@…`. Null: it may be
 * real. The same for all addresses of a kind, so that many of them are one finding.
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

const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@\s]*@)?([^/?#:@\s]+)/i;
/** Nobody can be reached at one of them (RFC 2606). */
const DOMAIN = /(?:^|\.)(example\.(?:com|net|org))$/;
const ENDING = /(?:^|\.)(example|test|invalid|localhost)$/;
/** What people type in to see whether the form works. */
const TEST_MAILBOX = /^test\d*@/i;

/** Finds the values of a column that stand in more than a tenth of the rows, in bounded memory. */
function createRepeatedValues() {
  const counters = new Map<string, Counter>();
  return {
    see(value: string, name: string): void {
      if (counters.size >= MOST_VALUES) {
        for (const [rare, { count }] of counters) if (count === 1) counters.delete(rare);
        // All of them are frequent: none may go, so nothing new comes in.
        if (counters.size >= MOST_VALUES && !counters.has(value)) return;
      }
      const counter = counters.get(value) ?? createCounter();
      counters.set(value, counter);
      counter.add(name);
    },
    /** At most nine, because each is in more than a tenth of `rows`; the most frequent first. */
    result: (rows: number) =>
      [...counters]
        .map(([value, { count, sample }]) => ({ value, count, sample }))
        .filter(({ count }) => count >= FEWEST && count * 10 > rows)
        .sort((a, b) => b.count - a.count),
  };
}

/** More different values than this, and the rare ones are forgotten: none of them is in a tenth of the rows. */
const MOST_VALUES = 5_000;
/** Fewer rows may well share a value. */
const FEWEST = 3;
