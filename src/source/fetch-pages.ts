import type pg from 'pg';
import type { RunStatement } from './transaction.js';

/** Text that a page may hold before pages become smaller, characters. */
const PAGE_TEXT = 4_000_000;

/** Rows of the first page, whose width is not known yet. */
const FIRST_PAGE = 50;

let cursors = 0;

/**
 * Pages of a SELECT by DECLARE and FETCH: each FETCH is a statement of its own that rejects when the backend dies,
 * where a driver's cursor would hang forever. The next page is fetched while the consumer works on this one.
 * `weigh` gives the characters of a row; null: rows are known to be narrow, and all pages are full.
 */
export async function* fetchPages<T extends pg.QueryResultRow>(
  run: RunStatement,
  sql: string,
  values: readonly unknown[],
  pageSize: number,
  weigh: ((row: T) => number) | null,
): AsyncGenerator<T[]> {
  cursors += 1;
  const cursor = `placement_sync_${cursors}`;
  await run(`declare ${cursor} no scroll cursor for ${sql}`, values);
  let size = weigh ? Math.min(FIRST_PAGE, pageSize) : pageSize;
  const fetch = (count: number) => run<T>(`fetch forward ${count} from ${cursor}`);
  let asked = size;
  let next = fetch(asked);
  try {
    for (;;) {
      const rows = await next;
      const last = rows.length < asked;
      if (weigh) {
        const weight = rows.reduce((sum, row) => sum + weigh(row), 0) / Math.max(rows.length, 1);
        size = Math.max(1, Math.min(pageSize, Math.floor(PAGE_TEXT / Math.max(weight, 1))));
      }
      if (!last) {
        asked = size;
        next = fetch(asked);
        // The await above handles rejections; no handler is attached until then.
        next.catch(() => undefined);
      }
      if (rows.length > 0) yield rows;
      if (last) break;
    }
  } finally {
    await next.catch(() => undefined);
    await run(`close ${cursor}`).catch(() => undefined);
  }
}
