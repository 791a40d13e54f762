import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SyncError } from '../../src/domain/errors.js';
import { fetchPages, PAGE_TEXT } from '../../src/source/reader.js';
import { translateSourceError } from '../../src/source/source-error.js';
import { inTransaction, type Transaction } from '../../src/source/transaction.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { failure, queryOf } from './source-fixture.js';

const NARROW = 1_000;
const WIDE = 60;
const WIDTH = 1_000_000;
/** Narrow rows, and pictures behind them. */
const SQL = `select g as key, repeat('x', case when g > ${NARROW} then ${WIDTH} else 10 end) as about
  from generate_series(1, ${NARROW + WIDE}) g`;
const PAGE_ROWS = 250;
/** What may be held: the page of the consumer, what waits behind it, and what a socket hands over beyond a pause. */
const MOST_HELD = 2 * (PAGE_TEXT + WIDTH) + 2 * 65_536;

interface Row extends pg.QueryResultRow {
  readonly key: number;
  readonly about: string;
}

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;
let transaction: Transaction;
let stop: AbortController;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, application_name: 'wide-rows' });
  pool.on('error', () => undefined);
});
beforeEach(async () => {
  stop = new AbortController();
  client = await pool.connect();
  const errors = {
    failed: (error: unknown, text: string) => translateSourceError(error, queryOf(SQL), text, SQL),
    interrupted: () => new SyncError('interrupted', 'stopped', { scope: 'run' }),
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let reading: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    const session = { statementTimeoutMs: 60_000, sessionTimeZone: null, rowSecurity: 'refuse' } as const;
    const leave = (broken: boolean) => client.release(broken);
    reading = inTransaction(client, { session, signal: stop.signal, errors, leave }, async (opened) => {
      transaction = opened;
      begun();
      await ended;
    });
  });
  return async () => {
    end();
    await reading;
  };
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const pages = () => fetchPages<Row>(transaction, SQL, [], PAGE_ROWS, ({ about }) => about.length);
const socket = () =>
  (client as unknown as { connection: { stream: { bytesRead: number; isPaused(): boolean } } }).connection
    .stream;
const textOf = (rows: readonly Row[]) => rows.reduce((sum, { about }) => sum + about.length, 0);
const held = () => expect.poll(() => socket().isPaused(), { timeout: 60_000 }).toBe(true);

/** Reads to the first page with wide rows, and until the connection is not read any more. */
async function readToWide(reading: AsyncGenerator<Row[]>): Promise<void> {
  for (;;) {
    const page = await reading.next();
    if (page.done === true) throw new Error('no wide row came');
    if (textOf(page.value) >= WIDTH) return held();
  }
}

test('of wide rows behind narrow ones two pages of a few megabytes are held at most', async () => {
  const begun = socket().bytesRead;
  let consumed = 0;
  let paused = 0;
  const sizes: number[] = [];
  const keys: number[] = [];
  for await (const page of pages()) {
    expect(textOf(page)).toBeLessThanOrEqual(PAGE_TEXT + WIDTH + 65_536);
    // The first wide pages are consumed slowly: whatever may be read ahead of them has been read then.
    if (textOf(page) >= PAGE_TEXT && paused < 3) {
      await held();
      paused += 1;
    }
    expect(socket().bytesRead - begun - consumed).toBeLessThan(MOST_HELD + 200_000);
    consumed += textOf(page);
    keys.push(...page.map(({ key }) => key));
    sizes.push(page.length);
  }
  expect(paused).toBe(3);
  expect(sizes.slice(0, 4)).toEqual([PAGE_ROWS, PAGE_ROWS, PAGE_ROWS, PAGE_ROWS]);
  expect(keys).toEqual(Array.from({ length: NARROW + WIDE }, (_, index) => index + 1));
}, 120_000);

test('a backend that ends while wide rows are held back is an error of the read', async () => {
  const reading = pages();
  await readToWide(reading);
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'wide-rows'`);
  const rest = async () => {
    for await (const page of reading) textOf(page);
  };
  expect(await failure(rest())).toMatchObject({
    code: 'query-failed',
    hint: expect.stringContaining('lost') as string,
  });
}, 60_000);

test('a read that is stopped while wide rows are held back ends', async () => {
  const reading = pages();
  await readToWide(reading);
  stop.abort();
  const rest = async () => {
    for await (const page of reading) textOf(page);
  };
  expect(await failure(rest())).toMatchObject({ code: 'interrupted' });
}, 60_000);

test('a consumer that leaves while wide rows are held back leaves a connection that works', async () => {
  const reading = pages();
  await readToWide(reading);
  await reading.return(undefined);
  expect(await transaction.run('select 1 as one')).toEqual([{ one: 1 }]);
}, 60_000);

test('another statement in between does not wait for the consumer forever', async () => {
  const reading = pages();
  await readToWide(reading);
  expect(await transaction.run('select 1 as one')).toEqual([{ one: 1 }]);
  await reading.return(undefined);
}, 60_000);
