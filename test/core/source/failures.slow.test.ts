import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Source } from '../../../src/core/ports/source.js';
import { openWire } from '../../postgres/open-wire.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { collect, failure, openTestSource, queryOf, readRows, readVersions } from './source-fixture.js';
import { listen } from '../../loopback.js';

let database: TestDatabase;
let source: Source;
let reader: Source;
let readerUrl: string;
let role: string;

const ALL = queryOf(
  `select g as key, repeat('x', 500) as about from generate_series(1, 100000) g where pg_backend_pid() > 0`,
);

beforeAll(async () => {
  database = await createTestDatabase();
  role = `${database.name}_reader`;
  const url = new URL(database.url);
  url.username = role;
  url.password = 'hidden-word';
  readerUrl = url.href;
  await database.query(`create role ${role} login password 'hidden-word';
    create table hidden (id int primary key, owner text);
    insert into hidden values (1, 'a'), (2, 'b');
    alter table hidden enable row level security;
    create policy own on hidden using (owner = 'a');
    grant select on hidden to ${role};
    create table secret (id int);
    create table written (id int)`);
  await database.query(`create function write_it() returns int language plpgsql volatile as
    $$ begin insert into written values (1); return 1; end $$`);
  source = openTestSource(database.url);
  reader = openTestSource(readerUrl);
});
afterAll(async () => {
  await source.close();
  await reader.close();
  await database.query(`drop owned by ${role}`);
  await database.query(`drop role ${role}`);
});

/** Ends every other connection to the test's database that reads for placement-sync. */
const terminate = () =>
  database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'placement-sync'`);

describe('a failing query', () => {
  it('is named with line and column in the partner’s file', async () => {
    const error = await failure(
      readRows(source, queryOf(`-- 😀\nselect 1 as key,\n  '😀', nmae as name from hidden`)),
    );
    expect(error).toMatchObject({ code: 'query-failed', scope: 'entity' });
    expect(error.message).toContain('queries/companies.sql:3:8');
    expect(error.message).toContain('companies');
    expect(error.details).toMatchObject({ sqlstate: '42703', line: 3, column: 8, recoveryConflict: false });
  });

  it('says as much of a long message as a line of a log holds', async () => {
    await database.query(`create function shout() returns text language plpgsql as
      $$ begin raise exception E'first\\n%', repeat('x', 300000); end $$`);
    const error = await failure(readRows(source, queryOf(`select 1 as key, shout() as name`)));
    expect(error.details).toMatchObject({ sqlstate: 'P0001' });
    expect(error.message).toContain('first xxx');
    expect(error.message.length).toBeLessThan(1_200);
  });

  it('names no value of a row, also where its closing quote is cut off', async () => {
    const error = await failure(
      readRows(source, queryOf(`select 1 as key, cast(repeat('Budi', 5000) as int)::text as name`)),
    );
    expect(error.details).toMatchObject({ sqlstate: '22P02' });
    expect(error.message).not.toContain('Budi');
  });

  it('leaves rows of values out of what it says, and the driver’s error too', async () => {
    const error = await failure(
      readRows(source, queryOf(`select id as key, 1 / (id - 1) as name from hidden`)),
    );
    expect(error.details).toMatchObject({ sqlstate: '22012' });
    expect(error.hint).toContain('nullif');
    expect(error.cause).toBeUndefined();
  });

  it.each([
    [`cast('S3cret "5' || id as integer)`, 'invalid input syntax for type integer: …'],
    [`cast('99999999' || id || '99999' as integer)`, 'value … is out of range for type integer'],
    [`cast('31/31/20' || id as date)`, 'date/time field value out of range: …'],
  ])('says of %s what kind of value it was, not which', async (expression, kind) => {
    const error = await failure(
      readRows(source, queryOf(`select id as key, cast(${expression} as text) as name from hidden`)),
    );
    expect(error.message).toContain(`queries/companies.sql: the query of companies failed: ${kind} (22`);
    expect(error.message).not.toMatch(/S3cret|9999|31/);
    // Not `explain`, which reads the row as the query does, and fails as well.
    expect(error.hint).toContain('docs/queries.md');
    expect(error.details).toMatchObject({ key: expect.stringMatching(/^[12]$/) as string, column: 'name' });
  });

  it('is refused when it writes, also through a function', async () => {
    const error = await failure(readRows(source, queryOf('select write_it() as key')));
    expect(error).toMatchObject({ code: 'query-failed', details: { sqlstate: '25006' } });
    expect(error.hint).toContain('read-only');
    expect(await database.query('select * from written')).toEqual([]);
  });

  it('is refused when its WITH deletes', async () => {
    const query = queryOf('with gone as (delete from hidden returning id) select id as key from gone');
    expect((await failure(readRows(source, query))).hint).toContain('one SELECT');
  });

  it('is cut off after the statement timeout, which the next read does not feel', async () => {
    const hasty = openTestSource(database.url, { statementTimeoutMs: 200 });
    const error = await failure(readRows(hasty, queryOf(`select pg_sleep(20)::text as key`)));
    expect(error).toMatchObject({ code: 'query-failed', details: { sqlstate: '57014' } });
    expect(error.hint).toContain('source.statementTimeout');
    expect(await readVersions(hasty, queryOf('select 1 as key'))).toHaveLength(1);
    await hasty.close();
  });

  it('says which right is missing', async () => {
    const error = await failure(readRows(reader, queryOf('select id as key from secret')));
    expect(error).toMatchObject({ code: 'query-failed', details: { sqlstate: '42501' } });
    expect(error.hint).toContain('GRANT SELECT');
  });

  it('ends the entity when row-level security would hide rows, unless that is allowed', async () => {
    const query = queryOf('select id as key from hidden');
    const error = await failure(readRows(reader, query));
    expect(error).toMatchObject({ code: 'row-security', scope: 'entity' });
    expect(error.message).toContain('hidden');
    expect(error.hint).toMatch(/BYPASSRLS.*rowSecurity: allow/);
    const allowing = openTestSource(readerUrl, { rowSecurity: 'allow' });
    expect(await readVersions(allowing, query)).toHaveLength(1);
    await allowing.close();
  });

  it('ends the entity when its columns are not those of the contract', async () => {
    const error = await failure(readRows(source, queryOf('select 1 as key, 2 as key, 3 as nmae')));
    expect(error).toMatchObject({ code: 'column-contract', scope: 'entity' });
    expect(error.details.problems).toHaveLength(2);
    expect(error.message).toContain('did you mean "name"?');
  });
});

describe('a lost connection', () => {
  it.each(['versions', 'rows'] as const)(
    'rejects promptly while %s are read, and the next read works',
    async (what) => {
      const read = source.read(ALL, async (all) => {
        let pages = 0;
        for await (const page of what === 'rows' ? all.allRows() : all.versions(null)) {
          expect(page.length).toBeGreaterThan(0);
          if (++pages === 2) await terminate();
        }
      });
      const error = await failure(read);
      expect(error).toMatchObject({ code: 'query-failed', scope: 'entity', details: { sqlstate: '57P01' } });
      expect(error.hint).toContain('lost');
      for (let time = 0; time < 3; time++) {
        expect(await readVersions(source, queryOf('select 1 as key'))).toHaveLength(1);
      }
    },
  );

  it('while the consumer waits does not end the process, and is reported by the next statement', async () => {
    const error = await failure(
      source.read(ALL, async (all) => {
        await all.digest();
        await terminate();
        await new Promise((resolve) => setTimeout(resolve, 200));
        await all.digest();
      }),
    );
    expect(error.details).toMatchObject({ sqlstate: '57P01' });
  });

  it('of an idle connection is nobody’s concern', async () => {
    await readVersions(source, queryOf('select 1 as key'));
    await terminate();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await readVersions(source, queryOf('select 1 as key'))).toHaveLength(1);
  });
});

describe('a connection that is cut off without a word', () => {
  it('fails the read within its time, once and not once more for the cursor, and is not used again', async () => {
    const wire = await openWire(database.url);
    const cut = openTestSource(wire.url, { poolMax: 1, statementTimeoutMs: 3_000, answerGraceMs: 500 });
    const error = await failure(
      cut.read(ALL, async (all) => {
        for await (const page of all.versions(null)) {
          expect(page.length).toBeGreaterThan(0);
          wire.silence();
        }
      }),
    );
    expect(error).toMatchObject({ code: 'query-failed', scope: 'entity' });
    expect(error.hint).toContain('lost');
    await wire.mend();
    expect(await readVersions(cut, queryOf('select 1 as key'))).toHaveLength(1);
    await cut.close();
  });
});

describe('the limits of the server', () => {
  /** As the partner's administrator may have set them, for every session of the role. */
  const limited = async (setting: string) => {
    await database.query(`alter role ${role} ${setting}`);
    const url = openTestSource(readerUrl, { poolMax: 1 });
    onTestFinished(async () => {
      await url.close();
      await database.query(`alter role ${role} reset all; alter role ${role} connection limit -1`);
    });
    return url;
  };

  it('of connections are reported with what to lower', async () => {
    const limitedSource = await limited('connection limit 0');
    const error = await failure(readRows(limitedSource, queryOf('select 1 as key')));
    expect(error).toMatchObject({ code: 'source-unavailable', scope: 'run', details: { sqlstate: '53300' } });
    expect(error.message).toContain('too many connections');
    expect(error.hint).toMatch(/source\.poolMax.*CONNECTION LIMIT/);
  });

  it('of locks are reported as such: another session changes the table', async () => {
    const limitedSource = await limited(`set lock_timeout = '100ms'`);
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin; lock table hidden in access exclusive mode');
    const locked = await failure(readRows(limitedSource, queryOf('select id as key from hidden')));
    expect(locked).toMatchObject({
      code: 'query-failed',
      details: { sqlstate: '55P03', recoveryConflict: false },
    });
    expect(locked.hint).toContain('lock');
  });

  it('to reading only change nothing: it only reads', async () => {
    const readOnly = await limited('set default_transaction_read_only = on');
    expect(await readVersions(readOnly, queryOf('select generate_series(1, 3) as key'))).toHaveLength(3);
  });
});

describe('the source', () => {
  it('hands on what its user throws, and reads again afterwards', async () => {
    const mine = new Error('mine');
    await expect(source.read(ALL, () => Promise.reject(mine))).rejects.toBe(mine);
    expect(await readVersions(source, queryOf('select 1 as key'))).toHaveLength(1);
  });

  it('refuses a reader whose transaction has ended', async () => {
    const kept = await source.read(ALL, (all) => Promise.resolve(all));
    await expect(kept.digest()).rejects.toThrow('after its transaction had ended');
  });

  it('ends when its user left a pass without finishing it', async () => {
    const single = openTestSource(database.url, { poolMax: 1 });
    await single.read(ALL, async (all) => {
      await all.allRows()[Symbol.asyncIterator]().next();
    });
    expect(await readVersions(single, queryOf('select 1 as key'))).toHaveLength(1);
    await single.close();
  });

  it('lets more reads than connections wait for each other', async () => {
    const single = openTestSource(database.url, { poolMax: 1 });
    const reads = Array.from({ length: 5 }, () =>
      single.read(queryOf('select 1 as key'), (one) => collect(one.versions(null))),
    );
    expect((await Promise.all(reads)).flat()).toHaveLength(5);
    await single.close();
  });

  it.each([
    ['an unknown role', (url: URL) => (url.username = 'no_such_role')],
    ['an unknown database', (url: URL) => (url.pathname = '/no_such')],
    ['a closed port', (url: URL) => (url.port = '1')],
  ])('is unavailable with %s, reported without the password', async (_name, change) => {
    const url = new URL(readerUrl);
    change(url);
    const closed = openTestSource(url.href);
    const error = await failure(readRows(closed, ALL));
    expect(error).toMatchObject({ code: 'source-unavailable', scope: 'run' });
    expect(error.message).toContain(url.host);
    expect(error.hint).toContain('source.url');
    expect(JSON.stringify([error.message, error.hint, error.details, error.cause])).not.toMatch(/-word/);
    await closed.close();
  });

  it('is unavailable with an address that is none, reported without it', async () => {
    const error = await failure(readRows(openTestSource('postgres://a:hidden-word@h:port/db'), ALL));
    expect(error).toMatchObject({ code: 'source-unavailable', scope: 'run' });
    expect(JSON.stringify([error.message, error.hint, error.details, error.cause])).not.toContain(
      'hidden-word',
    );
  });

  it('is unavailable after ten seconds when the server takes the connection and stays silent', async () => {
    const { port } = await listen(createServer(() => undefined));
    const error = await failure(readRows(openTestSource(`postgres://a:b@127.0.0.1:${port}/db`), ALL));
    expect(error).toMatchObject({ code: 'source-unavailable', scope: 'run' });
  });
});

describe('a signal', () => {
  const asleep = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    );
    return row?.count;
  };

  it('cancels the statement at the server, and the reading ends as interrupted', async () => {
    const stopping = new AbortController();
    const slow = queryOf('select 1 as key, pg_sleep(25)::text as about');
    const reading = failure(source.read(slow, (one) => one.digest(), stopping.signal));
    await expect.poll(asleep).toBe(1);
    stopping.abort();
    expect(await reading).toMatchObject({ code: 'interrupted', scope: 'run' });
    await expect.poll(asleep).toBe(0);
    // The connection is as good as before.
    expect(await readVersions(source, queryOf('select 1 as key'))).toHaveLength(1);
  });

  it('ends the reading also where the server does not react', async () => {
    const stopping = new AbortController();
    // Loops in a handler of the cancellation itself.
    await database.query(`create function deaf() returns int language plpgsql as $$ begin
      begin perform pg_sleep(600); exception when query_canceled then perform pg_sleep(600); end; return 1; end $$`);
    const reading = failure(
      source.read(queryOf('select deaf() as key'), (one) => one.digest(), stopping.signal),
    );
    await expect.poll(asleep).toBe(1);
    stopping.abort();
    expect(await reading).toMatchObject({ code: 'interrupted' });
    // During the second sleep; the server’s part is ended by hand.
    await terminate();
  });

  it('that has aborted before lets nothing begin', async () => {
    const read = source.read(queryOf('select 1 as key'), (one) => one.digest(), AbortSignal.abort());
    expect(await failure(read)).toMatchObject({ code: 'interrupted' });
  });
});
