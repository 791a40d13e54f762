import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { instantInZone } from '../../../src/core/contract/time.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { openTestSource, queryOf, readRows } from './source-fixture.js';

describe('session zone', () => {
  const ZONES = ['UTC', 'Asia/Jakarta', 'America/New_York'];

  let database: TestDatabase;

  /** As a person has it in psql: no setting of ours. */
  async function asInPsql<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    // The application writes UTC into a column without zone; each vacancy is open for one hour more than the one before.
    await database.query(`create table job as select n as id,
    (now() at time zone 'utc') + make_interval(hours => n) - interval '5 minutes' as closes_at,
    now() + make_interval(hours => n) as instant from generate_series(1, 9) n`);
    await database.query(`create role ${reader()} login password 'zone'`);
    await database.query(`grant select on job to ${reader()}`);
  });
  afterAll(async () => {
    await database.query(`drop owned by ${reader()}`);
    await database.query(`drop role ${reader()}`);
    await database.drop();
  });

  /** Roles belong to the server, which other tests use at the same time. */
  function reader(): string {
    return `reader_${database.name}`;
  }

  /** The address for the role, whose zone a partner may have set. */
  function asReader(): string {
    const url = new URL(database.url);
    url.username = reader();
    url.password = 'zone';
    return url.href;
  }

  const CONDITIONS = [
    'closes_at >= now()::timestamp',
    'closes_at >= localtimestamp',
    'closes_at::date <= current_date',
    'instant::date = current_date',
    `instant >= date_trunc('day', now()) + interval '1 day'`,
  ];

  async function keysBoth(url: string): Promise<{ tool: string[][]; psql: string[][] }> {
    const source = openTestSource(url);
    const keys = { tool: [] as string[][], psql: [] as string[][] };
    try {
      for (const condition of CONDITIONS) {
        const sql = `select id::text as key, closes_at::text as name, instant::text as about from job where ${condition} order by id`;
        const rows = await asInPsql<{ key: string; name: string; about: string }>(url, sql);
        keys.psql.push(rows.map((row) => JSON.stringify([row.key, row.name, row.about])));
        const read = await readRows(source, queryOf(sql));
        keys.tool.push(read.map(({ row }) => JSON.stringify([row.key, row.name, row.about])));
      }
    } finally {
      await source.close();
    }
    return keys;
  }

  test.each(ZONES)('a query gives the same rows as in psql when the database lives in %s', async (zone) => {
    await database.query(`alter database ${database.name} set timezone = '${zone}'`);
    const { tool, psql } = await keysBoth(database.url);
    expect(tool).toEqual(psql);
  });

  test.each(ZONES)('a query gives the same rows as in psql when the role lives in %s', async (zone) => {
    await database.query(`alter database ${database.name} set timezone = 'Europe/Berlin'`);
    await database.query(`alter role ${reader()} set timezone = '${zone}'`);
    const { tool, psql } = await keysBoth(asReader());
    expect(tool).toEqual(psql);
  });

  test('no row is lost to now() in a database that keeps UTC, and source.sessionTimeZone moves it', async () => {
    await database.query(`alter database ${database.name} set timezone = 'UTC'`);
    const query = queryOf(`select id::text as key from job where closes_at >= now()::timestamp`);
    const counts: number[] = [];
    for (const sessionTimeZone of [null, 'UTC', 'Asia/Jakarta']) {
      const source = openTestSource(database.url, { sessionTimeZone });
      counts.push((await readRows(source, query)).length);
      await source.close();
    }
    expect(counts).toEqual([9, 9, 2]);
  });

  test('an instant is the same text, whatever zone the session is in', async () => {
    const query = queryOf(`select 1 as key, timestamptz '2026-03-08 06:59:59.5+00' as name,
    timestamptz '1850-01-01 00:00+00' as about`);
    for (const sessionTimeZone of [null, 'UTC', 'Asia/Jakarta', 'America/New_York', 'Asia/Kolkata']) {
      const source = openTestSource(database.url, { sessionTimeZone });
      const [read] = await readRows(source, query);
      await source.close();
      expect({ ...read?.row }).toEqual({
        key: '1',
        name: '2026-03-08 13:59:59.5+07',
        about: '1850-01-01 07:07:12+07:07:12',
      });
    }
  });

  test('an instant in another zone is what Postgres prints there', async () => {
    const zones = [
      'UTC',
      'Asia/Jakarta',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Europe/London',
    ];
    const moments = fc.sample(
      fc.oneof(
        fc.integer({ min: Date.parse('1850-01-01'), max: Date.parse('2100-01-01') }),
        fc.integer({ min: Date.parse('0001-01-03'), max: Date.parse('9999-12-29') }),
        // Around a change of the clocks.
        fc.integer({ min: Date.parse('2026-11-01T04:00:00Z'), max: Date.parse('2026-11-01T08:00:00Z') }),
      ),
      { numRuns: 400, seed: 7 },
    );
    await database.query(
      `create table moment as select at from unnest($1::timestamptz[]) with ordinality m (at, n) order by n`,
      [moments.map((ms) => new Date(ms).toISOString())],
    );
    const printed = await Promise.all(
      zones.map(async (zone) => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        await client.query(`set timezone = '${zone}'`);
        const { rows } = await client.query<{ text: string }>(
          'select at::text as text from moment order by ctid',
        );
        await client.end();
        return rows.map(({ text }) => text);
      }),
    );
    for (const [to, zone] of zones.entries()) {
      for (const from of printed) expect(from.map((text) => instantInZone(text, zone))).toEqual(printed[to]);
    }
  });
});

describe('transaction settings', () => {
  test('limits that the partner set for every session do not hold for a read, which has its own', async () => {
    const database = await createTestDatabase();
    const set = (name: string, value: string) =>
      database.query(
        `do $$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $$`,
      );
    await set('statement_timeout', '1h');
    await set('idle_in_transaction_session_timeout', '1h');
    const [version] = await database.query<{ number: number }>(
      `select current_setting('server_version_num')::int as number`,
    );
    if ((version?.number ?? 0) >= 170_000) await set('transaction_timeout', '1h');
    const source = openTestSource(database.url, { statementTimeoutMs: 20_000.4 });
    onTestFinished(async () => {
      await source.close();
      await database.drop();
    });
    const [read] = await readRows(
      source,
      queryOf(`select 1 as key, current_setting('statement_timeout') as name,
      current_setting('idle_in_transaction_session_timeout') || ' ' || coalesce(current_setting('transaction_timeout', true), '0')
      as about`),
    );
    expect({ ...read?.row }).toEqual({ key: '1', name: '20s', about: '0 0' });
  });
});
