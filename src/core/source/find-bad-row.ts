import type { QueryResultRow } from 'pg';
import { oneLineUpTo } from '../domain/reply/reply.js';
import { bucketOf } from '../ports/source.js';
import type { QueryColumn } from './query.js';
import { KEY_SQL, type ReaderOptions, valueSql } from './reader.js';
import { type BadRow, isDataError } from './source-error.js';

/**
 * Finds the row whose value a query cannot compute, so that a person need not: Postgres says what is wrong with the value
 * and never where. First the column, by halves of the columns. Then the row, by halves of the hashes of keys, because a
 * condition on the key is computed before the value. Where it is not (LIMIT, window functions), or no key can be read (a
 * condition or a join fails): by the number of rows that come before it.
 */

/** Longest search, and longest statement of it, milliseconds. */
export const SEARCH_MS = 30_000;

/** So that rows come in the same order each time. */
const SERIAL = `select pg_catalog.set_config('max_parallel_workers_per_gather', '0', true),
  pg_catalog.set_config('synchronize_seqscans', 'off', true)`;

const LONGEST_KEY = 100;
const MOST_ROWS = 2 ** 40;

/** In a transaction of its own. Never rejects: what was found before an error or the end of the time counts. */
export async function findBadRow(options: ReaderOptions): Promise<BadRow> {
  const found: Found = {};
  await search(options, found).catch(() => undefined);
  return found;
}

type Found = { -readonly [name in keyof BadRow]: BadRow[name] };

async function search(
  { transaction: { run, attempt }, columns, from, timeZone, encoding }: ReaderOptions,
  found: Found,
): Promise<void> {
  const until = Date.now() + SEARCH_MS;
  await run(SERIAL);
  const key = KEY_SQL;
  const named = (values: readonly string[]) => values.map((value, index) => `${value} as e${index}`).join();
  const ask = async <T extends QueryResultRow>(sql: string, parameters: readonly unknown[] = []) => {
    if (Date.now() > until) throw new Error('the time is over');
    const answer = await attempt<T>(sql, parameters);
    if ('rows' in answer) return answer.rows;
    if (!isDataError(answer.refused.sqlstate)) throw new Error(answer.refused.message);
    return null;
  };
  /** Whether these values cannot be computed; `rest` says of which rows. */
  const fails = async (values: readonly string[], rest = '', parameters: readonly unknown[] = []) => {
    const counts = values.map((_, index) => `pg_catalog.count(e${index})`).join() || 'pg_catalog.count(*)';
    const rows = `select ${named(values)} from ${from} ${rest}`;
    return (await ask(`select ${counts} from (${rows}) as p`, parameters)) === null;
  };
  const keysOf = async (rest: string, values: readonly string[] = []) => {
    const selected = [`${key} as k`, ...values.map((value, index) => `${value} as e${index}`)].join();
    const rows = await ask<{ k: string }>(`select ${selected} from ${from} ${rest}`);
    return (rows ?? []).map(({ k }) => k);
  };
  const valueOf = (column: QueryColumn) => sendable(valueSql(column, timeZone), encoding);

  let suspects = columns;
  if (await fails([])) suspects = [];
  else if (!(await fails(columns.map(valueOf)))) return;
  while (suspects.length > 1) {
    const half = suspects.slice(0, suspects.length >> 1);
    suspects = (await fails(half.map(valueOf))) ? half : suspects.slice(half.length);
  }
  const bad = suspects.map(valueOf);
  if (suspects[0]) found.column = suspects[0].name;

  const inBucket = (count: number, number: number) =>
    `where ${bucketOf(key, count)} OPERATOR(pg_catalog.=) ${number}`;
  const hasKeys = suspects.length > 0 && !(await fails([sendable(key, encoding)]));
  if (hasKeys && !(await fails(bad, inBucket(1, -1)))) {
    const total = Number((await ask<{ n: string }>(`select pg_catalog.count(*) as n from ${from}`))?.[0]?.n);
    let number = 0;
    for (let count = 2; count <= 4 * total; count *= 2) {
      if (!(await fails(bad, inBucket(count, number)))) number += count / 2;
    }
    const count = 2 ** Math.floor(Math.log2(4 * total));
    for (const each of await keysOf(`${inBucket(count, number)} limit 20`)) {
      const isBad = await fails(bad, `where ${key} OPERATOR(pg_catalog.=) cast($1 as pg_catalog.text)`, [
        each,
      ]);
      if (isBad) found.key = shown(each);
    }
    return;
  }

  let [passed, reached] = [0, 1];
  while (reached < MOST_ROWS && !(await fails(bad, `limit ${reached}`)))
    [passed, reached] = [reached, 2 * reached];
  while (reached - passed > 1) {
    const middle = Math.floor((passed + reached) / 2);
    if (await fails(bad, `limit ${middle}`)) reached = middle;
    else passed = middle;
  }
  const [before] = await keysOf(`offset ${passed - 1} limit 1`, bad);
  if (before === undefined) return;
  found.after = shown(before);
  if (!hasKeys) return;
  // Without the column the rows might come in another order.
  const [again, own] = await keysOf(`offset ${passed - 1} limit 2`);
  if (again === before && own !== undefined) found.key = shown(own);
}

/** The key as a message may have it. */
const shown = (key: string): string => oneLineUpTo(LONGEST_KEY, key);

/** SQL: the value, with an error if it cannot be sent in UTF-8: in other encodings that shows only when it is sent. */
function sendable(value: string, encoding: string): string {
  if (encoding === 'UTF8') return value;
  if (encoding !== 'SQL_ASCII') return `pg_catalog.convert_to(${value}, 'UTF8')`;
  return `pg_catalog.length(pg_catalog.convert_to(${value}, 'SQL_ASCII'), 'UTF8')`;
}
