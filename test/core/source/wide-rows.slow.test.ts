import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import { fetchPages, PAGE_TEXT } from '../../../src/core/source/reader.js';
import { translateSourceError } from '../../../src/core/source/source-error.js';
import { inTransaction, type Transaction } from '../../../src/core/source/transaction.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { failure, openTestSource, queryOf, readRows, readVersions } from './source-fixture.js';
import { listen } from '../../loopback.js';

describe('wide rows', () => {
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
  afterAll(() => pool.end());

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
});

test('a row of more than 40 MB is refused before it is held, with what to do; the next read is as usual', async () => {
  const database = await createTestDatabase();
  const source = openTestSource(database.url);
  onTestFinished(() => source.close());
  const wide = queryOf(`select 1 as key, repeat('x', 42900000) as about`);
  expect(await failure(readRows(source, wide))).toMatchObject({
    code: 'query-failed',
    scope: 'entity',
    message: expect.stringContaining('a row has 41 MB, and may have 40 MB') as string,
    hint: expect.stringContaining('left(column, 100000)') as string,
  });
  const [row] = await database.query<{ max: number }>(
    `select max(pg_column_size(t)) from (select repeat('x', 9)) t`,
  );
  expect(row?.max, 'the query of the hint').toBeGreaterThan(8);
  expect(await readRows(source, queryOf(`select 1 as key, repeat('x', 39000000) as about`))).toHaveLength(1);
});

describe('abandoned reads', () => {
  const SLOW = queryOf('select 1 as key, pg_sleep(120)::text as about');
  const QUICK = queryOf('select 1 as key');

  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });

  const asleep = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    );
    return row?.count;
  };

  /** A source with both of its places taken by statements that last for minutes. */
  async function busySource(maxWaiting = 5) {
    const source = openTestSource(database.url, { poolMax: 2, maxWaiting });
    const stop = new AbortController();
    const taken = [1, 2].map(() => failure(source.read(SLOW, (one) => one.digest(), stop.signal)));
    onTestFinished(async () => {
      stop.abort();
      await source.close();
    });
    await expect.poll(asleep).toBe(2);
    return { source, stop, taken };
  }

  test('a read whose signal aborts leaves the queue at once, and those behind it do not wait for it', async () => {
    const { source, stop, taken } = await busySource();
    const gone = new AbortController();
    const left = failure(source.read(QUICK, (one) => one.digest(), gone.signal));
    const behind = readVersions(source, QUICK);
    gone.abort();
    expect(await left).toMatchObject({ code: 'interrupted', scope: 'run' });
    expect(await asleep()).toBe(2);
    stop.abort();
    expect(await behind).toHaveLength(1);
    for (const ended of await Promise.all(taken)) expect(ended.code).toBe('interrupted');
  });

  test('a queue that is full turns reads away, and is open again when somebody has left it', async () => {
    const { source, stop } = await busySource(1);
    const waiting = readVersions(source, QUICK);
    expect(await failure(readVersions(source, QUICK))).toMatchObject({
      code: 'source-unavailable',
      scope: 'run',
      details: { busy: true },
    });
    stop.abort();
    expect(await waiting).toHaveLength(1);
    expect(await readVersions(source, QUICK)).toHaveLength(1);
  });

  test('closing cancels what runs and turns away what waits and what comes', async () => {
    const { source, taken } = await busySource();
    const waiting = [1, 2, 3].map(() => failure(readVersions(source, QUICK)));
    await source.close();
    for (const ended of await Promise.all([...taken, ...waiting])) expect(ended.code).toBe('interrupted');
    expect(await failure(readVersions(source, QUICK))).toMatchObject({ code: 'interrupted' });
    await expect.poll(asleep).toBe(0);
  });

  test('closing does not wait for a server that takes the connection and stays silent', async () => {
    let connected = () => {};
    const called = new Promise<void>((resolve) => (connected = resolve));
    const { port } = await listen(createServer(() => connected()));
    const source = openTestSource(`postgres://a:b@127.0.0.1:${port}/db`);
    const reading = failure(readVersions(source, QUICK));
    await called;
    // Connecting is given up after ten seconds by itself; then it would be `source-unavailable`.
    const first = await Promise.race([source.close().then(() => 'closed'), patience(8_000)]);
    expect(first).toBe('closed');
    expect(await reading).toMatchObject({ code: 'interrupted' });
  });

  test('an abandoned read does not cancel the statement of the next one on its connection', async () => {
    const source = openTestSource(database.url, { poolMax: 1 });
    onTestFinished(() => source.close());
    for (let round = 0; round < 20; round += 1) {
      const gone = new AbortController();
      // Aborts between two statements, where nothing runs that the server could cancel.
      const abandoned = source.read(
        QUICK,
        async (one) => {
          await one.digest();
          gone.abort();
        },
        gone.signal,
      );
      const next = readVersions(source, QUICK);
      await abandoned.catch(() => undefined);
      expect(await next).toHaveLength(1);
    }
  });

  function patience(ms: number): Promise<string> {
    return new Promise((resolve) => setTimeout(() => resolve('still open'), ms).unref());
  }
});
