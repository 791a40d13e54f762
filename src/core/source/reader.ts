import { escapeIdentifier, escapeLiteral, type QueryResultRow } from 'pg';
import { instantInZone } from '../contract/time.js';
import { SyncError } from '../domain/errors.js';
import { type JsonValue, LONGEST_JSON, type Row, UNREAD } from '../domain/row.js';
import {
  bucketOf,
  type Buckets,
  type Digest,
  digestColumns,
  type EntityQuery,
  type KeyVersion,
  type SourceReader,
  type SourceRow,
} from '../ports/source.js';
import type { QueryColumn } from './query.js';
import { readSight } from './sight.js';
import type { Transaction } from './transaction.js';

/*
 * The reader of one entity in one transaction: digests of all rows, keys with versions, and whole rows. Every value is read
 * as text, so that the driver's types do not matter, and becomes a value of a row here.
 *
 * Pages of a SELECT come by DECLARE and FETCH (`fetchPages`): each FETCH is a statement of its own that rejects when the
 * backend dies, where a driver's cursor would hang forever. The next FETCH runs while the consumer works on a page.
 *
 *   server -> socket -> rows that wait (PAGE_TEXT, then the socket is not read) -> page -> consumer
 *
 * How wide a row is shows only when it is there: behind thousands of short rows, the 250 of the next FETCH may be
 * pictures of a megabyte each. To ask the server for widths first would read everything twice, and to fetch a few rows
 * at a time would make a round trip of each few. So a page ends where its text is enough, and what comes behind it
 * stays with the server until the consumer asks for more. Never more is held than two pages and a row.
 */

export interface ReaderOptions {
  readonly transaction: Pick<Transaction, 'run' | 'attempt' | 'stream'>;
  readonly query: EntityQuery;
  /** The partner's query in parentheses, as `q`. */
  readonly from: string;
  readonly columns: readonly QueryColumn[];
  /** Of timestamps without time zone; null: they are handed on as they are. */
  readonly timeZone: string | null;
  /** In which instants are handed on; null: as the session prints them, because it is in that zone. */
  readonly instantsIn: string | null;
  /** `server_encoding` */
  readonly encoding: string;
  /** `server_version_num`: 150008 is 15.8. */
  readonly serverVersion: number;
}

/** Encodings whose byte order is the order of code points, as UTF-8's is. */
const ORDERED_ENCODINGS = new Set(['UTF8', 'SQL_ASCII', 'LATIN1']);

/** Key, version, and the values as c0, c1, …, each as text. */
type DataRow = Readonly<Record<string, string | null>> & {
  readonly k: string | null;
  readonly v: string | null;
};

/** Small, because three pages are in memory at a time: one is read, one is mapped, one is staged. */
const ROW_PAGE = 250;

interface DigestRow {
  readonly count: string;
  readonly sum0: string;
  readonly sum1: string;
  readonly unversioned: string;
}

/** How many rows there are that cannot be records. */
interface UnusableRow {
  readonly null_keys: string;
  readonly long_keys: string;
  readonly long_versions: string;
}

/** Longest key and row version, bytes: the ledger's indexes hold both, and an entry of Postgres's has a largest size. */
const LONGEST = 500;

const VERSION_PAGE = 5_000;

/**
 * The statements of a reader; `doctor` explains and compares these. Functions, operators, types and collations around the
 * partner's query are qualified: that query needs the search path of its session, and a role that may create objects in
 * one of these schemas could put the same name there.
 */
export function readerStatements({
  from,
  columns,
  timeZone,
  encoding,
  serverVersion,
}: Pick<ReaderOptions, 'from' | 'columns' | 'timeZone' | 'encoding' | 'serverVersion'>) {
  if (!columns.some(({ name }) => name === 'key')) throw new Error('the query returns no key');
  const key = KEY_SQL;
  // Printing a row as text takes three times as long as sending it.
  const whole = columns.every(({ binary }) => binary)
    ? 'pg_catalog.record_send(q.*)'
    : 'cast(q.* as pg_catalog.text)';
  const version = columns.some(({ name }) => name === 'row_version')
    ? '(cast(q."row_version" as pg_catalog.text) collate pg_catalog."C")'
    : `pg_catalog.md5(${whole})`;
  const order = ORDERED_ENCODINGS.has(encoding) ? key : `pg_catalog.convert_to(${key}, 'UTF8')`;
  // Before version 14 `= any` compares with one key after the other: hours for 100,000 keys in a large table.
  const among =
    serverVersion >= 140_000
      ? 'OPERATOR(pg_catalog.=) any (cast($1 as pg_catalog.text[]))'
      : 'OPERATOR(pg_catalog.=) any (select pg_catalog.unnest(cast($1 as pg_catalog.text[])))';
  const values = columns.map((column, index) => `, ${valueSql(column, timeZone)} as c${index}`).join('');
  const rowsSql = `select ${key} as k, ${version} as v${values} from ${from}`;
  const versions = `(select ${key} as k, ${computedOnce(version)} as v from ${from}) versions`;
  const sums = `${digestColumns('k', 'v')}, pg_catalog.count(*) filter (where v is null) as unversioned`;
  return {
    digest: `select ${sums},
       pg_catalog.count(*) filter (where coalesce(k, '') OPERATOR(pg_catalog.=) '') as null_keys,
       pg_catalog.count(*) filter (where pg_catalog.octet_length(k) OPERATOR(pg_catalog.>) ${LONGEST}) as long_keys,
       pg_catalog.count(*) filter (where pg_catalog.octet_length(v) OPERATOR(pg_catalog.>) ${LONGEST}) as long_versions
     from ${versions}`,
    bucketDigests: (count: number) =>
      `select cast(${bucketOf('k', count)} as integer) as bucket, ${sums} from ${versions} group by 1`,
    versions(buckets: Pick<Buckets, 'count'> | null) {
      const filter = buckets
        ? `where ${bucketOf(key, buckets.count)} OPERATOR(pg_catalog.=) any (cast($1 as bigint[]))`
        : '';
      return `select ${key} as k, ${version} as v from ${from} ${filter} order by ${order}`;
    },
    rows: `${rowsSql} where ${key} ${among}`,
    allRows: `${rowsSql} order by ${order}`,
  };
}

export function createReader(options: ReaderOptions): SourceReader {
  const { transaction, query, columns } = options;
  const { run } = transaction;
  const statements = readerStatements(options);
  const toRow = rowMaker(columns, options);

  async function* rowPages(sql: string, parameters: readonly unknown[]): AsyncGenerator<SourceRow[]> {
    for await (const page of fetchPages<DataRow>(transaction, sql, parameters, ROW_PAGE, weigh)) {
      yield page.map((data) => ({
        key: keyOf(query, data.k),
        rowVersion: versionOf(query, data.v),
        row: toRow(data),
      }));
    }
  }

  return {
    columns: columns.map(({ name }) => name),

    sight: () => readSight(transaction),

    async digest() {
      const [all] = await run<DigestRow & UnusableRow & Record<string, unknown>>(statements.digest);
      if (!all) throw new TypeError('An aggregate gave no row.');
      if (all.null_keys !== '0') throw nullKey(query, Number(all.null_keys));
      if (all.long_keys !== '0') throw tooLong(query, 'key');
      if (all.long_versions !== '0') throw tooLong(query, 'row_version');
      return digestOf(all);
    },

    async bucketDigests(count) {
      const rows = await run<DigestRow & { bucket: number } & Record<string, unknown>>(
        statements.bucketDigests(count),
      );
      return new Map(rows.map((row) => [row.bucket, digestOf(row)]));
    },

    async *versions(buckets: Buckets | null): AsyncGenerator<KeyVersion[]> {
      const sql = statements.versions(buckets);
      const parameters = buckets ? [buckets.numbers] : [];
      for await (const page of fetchPages<DataRow>(transaction, sql, parameters, VERSION_PAGE, null)) {
        yield page.map(({ k, v }) => ({ key: keyOf(query, k), rowVersion: versionOf(query, v) }));
      }
    },

    rows: (keys) => rowPages(statements.rows, [keys]),

    allRows: () => rowPages(statements.allRows, []),
  };
}

/**
 * SQL: the record's key. The collation makes equality one of bytes: under the column's own, 'a' and 'A' may be equal.
 */
export const KEY_SQL = '(cast(q."key" as pg_catalog.text) collate pg_catalog."C")';

export function valueSql({ name, kind }: QueryColumn, timeZone: string | null): string {
  const column = `q.${escapeIdentifier(name)}`;
  // Only the cast to text cuts the padding of char(n); to_json keeps it.
  if (kind === 'padded-array')
    return `cast(pg_catalog.to_json(cast(${column} as pg_catalog.text[])) as pg_catalog.text)`;
  if (kind === 'json' || kind === 'typed') return `cast(pg_catalog.to_json(${column}) as pg_catalog.text)`;
  if (kind === 'local-timestamp' && timeZone !== null) {
    return `cast(pg_catalog.timezone(${escapeLiteral(timeZone)}, ${column}) as pg_catalog.text)`;
  }
  return `cast(${column} as pg_catalog.text)`;
}

type Zones = Pick<ReaderOptions, 'timeZone' | 'instantsIn'>;

/**
 * Makes a row of the values of one record. Each is a copy of one empty row: an object that grows column by column is a
 * table of its own, of five times the size.
 */
function rowMaker(columns: readonly QueryColumn[], zones: Zones): (data: DataRow) => Row {
  const empty: Row = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const cells = columns.map(({ name, kind }, index) => ({ name, kind, cell: `c${index}` }));
  return (data) => {
    const row = { ...empty } as Record<string, JsonValue>;
    for (const { name, kind, cell } of cells) {
      const value = data[cell] ?? null;
      if (value !== null) row[name] = valueOf(kind, value, zones);
    }
    return row;
  };
}

function valueOf(kind: QueryColumn['kind'], value: string, { timeZone, instantsIn }: Zones): JsonValue {
  const isJson = kind === 'typed' || kind === 'json' || kind === 'padded-array';
  if (isJson && value.length > LONGEST_JSON) return UNREAD;
  if (kind === 'typed') return JSON.parse(value) as JsonValue;
  if (isJson) return parseJson(value);
  const isInstant = kind === 'instant' || (kind === 'local-timestamp' && timeZone !== null);
  return isInstant && instantsIn !== null ? instantInZone(value, instantsIn) : value;
}

/** A text or a number of JSON; digits inside a text are part of the text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON as Postgres prints it, without losing digits. A number on its own stays the text that Postgres prints,
 * as a number of any other column is; inside an array or object a number becomes text only where JavaScript would print
 * it differently (`106.80`, more than 15 digits).
 */
export function parseJson(text: string): JsonValue {
  // The type json keeps the blanks around it.
  if (/^\s*[-\d]/.test(text)) return text.trim();
  const exact = text.replace(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`,
  );
  return JSON.parse(exact) as JsonValue;
}

/**
 * SQL: stops the planner from copying an expression to every place that uses it. A volatile function in a
 * subquery does that, and this one may still run in a parallel plan, which OFFSET 0 may not.
 */
function computedOnce(expression: string): string {
  return `case when pg_catalog.clock_timestamp() is not null then ${expression} end`;
}

let cursors = 0;

/** Text that a page may hold before it ends, characters. */
export const PAGE_TEXT = 4_000_000;

/** `weigh` gives the characters of a row; null: rows are known to be narrow, and all pages are full. */
export async function* fetchPages<T extends QueryResultRow>(
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
function holdRows<T extends QueryResultRow>(
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
    /** What waits, once it is a page or all, and whether the FETCH has ended. */
    async next() {
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

function weigh(data: DataRow): number {
  return Object.values(data).reduce((sum, value) => sum + (value?.length ?? 0), 0);
}

function keyOf(query: EntityQuery, key: string | null): string {
  if (key === null || key === '') throw nullKey(query, null);
  if (Buffer.byteLength(key) > LONGEST) throw tooLong(query, 'key');
  return key;
}

function nullKey(query: EntityQuery, count: number | null): SyncError {
  const rows = count === null ? 'a row' : count === 1 ? 'one row' : `${count} rows`;
  return new SyncError('null-key', `${query.file}: the key of ${query.entity} is null or empty in ${rows}.`, {
    scope: 'entity',
    hint: 'Every record needs a key that never changes. Leave out rows without a key with WHERE.',
    details: { entity: query.entity, file: query.file, ...(count === null ? {} : { count }) },
  });
}

function tooLong(query: EntityQuery, column: 'key' | 'row_version'): SyncError {
  return new SyncError(
    'column-contract',
    `${query.file}: the ${column} of ${query.entity} has more than ${LONGEST} bytes in some rows.`,
    {
      scope: 'entity',
      hint: `Select a shorter value instead, such as md5(…) as ${column}.`,
      details: { entity: query.entity, file: query.file },
    },
  );
}

function versionOf(query: EntityQuery, version: string | null): string | null {
  if (version !== null && Buffer.byteLength(version) > LONGEST) throw tooLong(query, 'row_version');
  return version;
}

function digestOf({ count, sum0, sum1, unversioned }: DigestRow): Digest {
  return { count: Number(count), sum0, sum1, unversioned: Number(unversioned) };
}
