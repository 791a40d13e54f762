import type { Row } from '../../../domain/row.js';
import { createCounter, type Counted, type Counter } from './counted.js';
import { createRepeatedValues } from './repeated-values.js';
import { reservedName } from './reserved-name.js';
import type { Tally } from './tally.js';

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
