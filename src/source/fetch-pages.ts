/*
 * Pages of a SELECT by DECLARE and FETCH: each FETCH is a statement of its own that rejects when the backend dies, where
 * a driver's cursor would hang forever. The next FETCH runs while the consumer works on a page.
 *
 *   server -> socket -> rows that wait (PAGE_TEXT, then the socket is not read) -> page -> consumer
 *
 * How wide a row is shows only when it is there: behind thousands of short rows, the 250 of the next FETCH may be
 * pictures of a megabyte each. To ask the server for widths first would read everything twice, and to fetch a few rows
 * at a time would make a round trip of each few. So a page ends where its text is enough, and what comes behind it
 * stays with the server until the consumer asks for more. Never more is held than two pages and a row.
 */

import type pg from 'pg';
import type { Transaction } from './transaction.js';

/** Text that a page may hold before it ends, characters. */
export const PAGE_TEXT = 4_000_000;

let cursors = 0;

/** What came of the FETCH that runs. */
interface Batch<T> {
  readonly rows: T[];
  readonly weight: number;
  /** Whether the FETCH has ended. */
  readonly ended: boolean;
}

/** `weigh` gives the characters of a row; null: rows are known to be narrow, and all pages are full. */
export async function* fetchPages<T extends pg.QueryResultRow>(
  { run, stream }: Pick<Transaction, 'run' | 'stream'>,
  sql: string,
  values: readonly unknown[],
  pageSize: number,
  weigh: ((row: T) => number) | null,
): AsyncGenerator<T[]> {
  cursors += 1;
  const cursor = `placement_sync_${cursors}`;
  await run(`declare ${cursor} no scroll cursor for ${sql}`, values);
  const fetch = (count: number) => holdRows<T>(stream, `fetch forward ${count} from ${cursor}`, weigh);
  let asked = pageSize;
  let came = 0;
  let weight = 0;
  let fetched = fetch(asked);
  try {
    for (;;) {
      const batch = await fetched.next();
      came += batch.rows.length;
      weight += batch.weight;
      const last = batch.ended && came < asked;
      if (batch.ended && !last) {
        // While rows are wide, the server need not wait in the middle of a FETCH, whose time is limited.
        asked = Math.max(1, Math.min(pageSize, Math.floor((PAGE_TEXT * came) / Math.max(weight, 1))));
        came = weight = 0;
        fetched = fetch(asked);
      }
      if (batch.rows.length > 0) yield batch.rows;
      if (last) break;
    }
  } finally {
    await fetched.drop();
    await run(`close ${cursor}`).catch(() => undefined);
  }
}

/** The rows of one statement, of which no more than PAGE_TEXT wait until they are asked for. */
function holdRows<T extends pg.QueryResultRow>(
  open: Transaction['stream'],
  text: string,
  weigh: ((row: T) => number) | null,
) {
  let rows: T[] = [];
  let weight = 0;
  let dropped = false;
  let ended = false;
  let wake = (): void => undefined;
  const stream = open<T>(text, (row) => {
    if (dropped) return;
    rows.push(row);
    weight += weigh?.(row) ?? 0;
    if (weight < PAGE_TEXT) return;
    stream.pause();
    wake();
  });
  const whole = stream.ended.then(() => {
    ended = true;
  });
  // `next` handles rejections; nothing waits before it.
  whole.catch(() => undefined);

  return {
    /** What waits, once it is a page or all. */
    async next(): Promise<Batch<T>> {
      if (weight < PAGE_TEXT && !ended)
        await Promise.race([whole, new Promise<void>((resolve) => (wake = resolve))]);
      const batch = { rows, weight, ended };
      rows = [];
      weight = 0;
      stream.resume();
      return batch;
    },
    /** Waits for the end without keeping rows. */
    async drop(): Promise<void> {
      dropped = true;
      rows = [];
      stream.release();
      await whole.catch(() => undefined);
    },
  };
}
