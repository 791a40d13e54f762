import type { Row } from '../../../domain/row.js';
import { createCounter, type Counted, type Counter } from './counted.js';
import type { Tally } from './tally.js';

/** A value that probably stands for "unknown". */
export interface Placeholder extends Counted {
  /** `repeated`: the same in many rows; `example`: an address of an example; `origin`: 0 and 0. */
  readonly kind: 'repeated' | 'example' | 'origin';
  readonly column: string;
  /** Enough to find it, nothing of a person; empty: not shown. */
  readonly shown: string;
}

/** Columns whose value belongs to one record. */
const OWN = ['email', 'phone', 'logo_uri', 'cover_uri', 'website'];
/** RFC 2606 reserves them. */
const EXAMPLE = /(?:^|[@/.])(example\.(?:com|net|org))(?:[/:?#]|$)/i;
/** More different values than this, and the rare ones are forgotten: none of them is in a tenth of the rows. */
const MOST_VALUES = 5_000;
/** Fewer rows may well share a value. */
const FEWEST = 3;

/** Values that probably stand for "unknown": the same contact in more than a tenth of the rows, examples, 0/0. */
export function createPlaceholderTally(): Tally<readonly Placeholder[]> {
  const values = new Map(OWN.map((column) => [column, new Map<string, Counter>()]));
  let rows = 0;
  const examples = new Map<string, { readonly counter: Counter; readonly shown: string }>();
  const origin = createCounter();

  const seeValue = (column: string, value: string, name: string): void => {
    const counters = values.get(column);
    if (counters === undefined) return;
    if (counters.size >= MOST_VALUES) {
      for (const [rare, { count }] of counters) if (count === 1) counters.delete(rare);
      // All of them are frequent: none may go, so nothing new comes in.
      if (counters.size >= MOST_VALUES && !counters.has(value)) return;
    }
    const counter = counters.get(value) ?? createCounter();
    counters.set(value, counter);
    counter.add(name);
  };

  return {
    see({ name, row }) {
      rows += 1;
      for (const column of OWN) {
        const value = textOf(row, column);
        if (value === null) continue;
        seeValue(column, value.toLowerCase(), name);
        if (!EXAMPLE.test(value)) continue;
        const found = examples.get(column) ?? { counter: createCounter(), shown: hostOf(value) };
        examples.set(column, found);
        found.counter.add(name);
      }
      const [latitude, longitude] = [textOf(row, 'latitude'), textOf(row, 'longitude')];
      if (latitude !== null && longitude !== null && Number(latitude) === 0 && Number(longitude) === 0)
        origin.add(name);
    },
    result: () => [
      ...[...values].flatMap(([column, counters]) =>
        [...counters]
          .filter(([, { count }]) => count >= FEWEST && count * 10 > rows)
          .map(([value, { count, sample }]): Placeholder => ({
            kind: 'repeated',
            column,
            shown: shownOf(column, value),
            count,
            sample,
          })),
      ),
      ...[...examples].map(
        ([
          column,
          {
            counter: { count, sample },
            shown,
          },
        ]): Placeholder => ({ kind: 'example', column, shown, count, sample }),
      ),
      ...(origin.count > 0
        ? [
            {
              kind: 'origin',
              column: 'latitude',
              shown: '',
              count: origin.count,
              sample: origin.sample,
            } as const,
          ]
        : []),
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

/** Where an address belongs to, without the part of a person. */
function hostOf(value: string): string {
  return EXAMPLE.exec(value)?.[1]?.toLowerCase() ?? '';
}
