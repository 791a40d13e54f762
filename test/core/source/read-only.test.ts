import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Source } from '../../../src/core/ports/source.js';
import { SUSPECT_CHARACTERS } from '../domain/sql/suspect-characters.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { collect, failure, openTestSource, queryOf, readRows } from './source-fixture.js';

let database: TestDatabase;
let source: Source;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query('create table person (key text)');
  await database.query(`insert into person values ('a'), ('b')`);
  await database.query('create sequence number');
  await database.query(
    `create function ended() returns text language plpgsql as $$ begin commit; return 'a'; end $$`,
  );
  await database.query(
    `create function written() returns text language plpgsql security definer as $$ begin delete from person; return 'a'; end $$`,
  );
  source = openTestSource(database.url);
});

afterAll(() => source.close());

it.each([
  'delete from person',
  'select key from person; delete from person',
  'commit; delete from person',
  'select 1 as key; commit; delete from person; select key from person',
  `select 'a' as key) as q limit 0; delete from person; select * from (select 'a' as key`,
  `select 'a' as key) as q limit 0; commit; begin; delete from person; --`,
  'with gone as (delete from person returning key) select key from gone',
  'select key from person for update',
  'select key into copy from person',
  'select written() as key',
  'select ended() as key',
  `select set_config('transaction_read_only', 'off', true) as key`,
  `select key from person where set_config('transaction_read_only', 'off', true) is not null and written() <> ''`,
  `select nextval('number') as key`,
  `do $$ begin delete from person; end $$`,
  `copy person to program 'true'`,
  `table person; truncate person`,
  `select 'a' as key) as q, lateral (with gone as (delete from person returning key) select key from gone`,
  `select key from person) as q, person for update of person --`,
  `select set_config('transaction_read_only', 'off', false) || written() as key`,
])('a query that would write is refused, and nothing is written: %s', async (sql) => {
  const error = await failure(readRows(source, queryOf(sql)));
  expect(error).toMatchObject({ code: 'query-failed', scope: 'entity' });
  expect(await database.query('select key from person order by key')).toEqual([{ key: 'a' }, { key: 'b' }]);
});

it('what a query could write is gone when it was read: before version 16 a large object', async () => {
  await readRows(source, queryOf(`select lo_create(0) as key`)).catch(() => undefined);
  expect(await database.query('select oid from pg_largeobject_metadata')).toEqual([]);
});

it('what a query set for its session ends with its transaction', async () => {
  await readRows(
    source,
    queryOf(
      `select set_config('default_transaction_read_only', 'off', true) || set_config('search_path', 'x', true) as key`,
    ),
  );
  const rows = await readRows(source, queryOf('select key from person'));
  expect(rows.map(({ key }) => key)).toEqual(['a', 'b']);
  await failure(readRows(source, queryOf('select written() as key')));
});

const REST = `) as q limit 0; commit; delete from person; select * from (select 'a' as key --`;

it('no character of Unicode hides a statement behind the query', async () => {
  const hiding: string[] = [];
  for (const character of SUSPECT_CHARACTERS) {
    // To Postgres `\u00a0$$` is a name, and no text begins behind it.
    await failure(readRows(source, queryOf(`select key from person ${character}$$${REST}$$`)));
    const left = await database.query('select key from person');
    if (left.length === 2) continue;
    hiding.push(character);
    await database.query(`insert into person values ('a'), ('b')`);
  }
  expect(hiding).toEqual([]);
});

it('no mixture of quotes, comments and blanks hides a statement', async () => {
  const piece = fc.constantFrom(
    ..."' '' \\ E' U&' b' \" $$ $a$ -- /* */ 1e x ( ) ; ,".split(' '),
    ...['\n', ' ', '\u00a0', '\u2028', '\ufeff', REST, 'delete from person;', 'commit;'],
  );
  const texts = fc.sample(fc.array(piece, { minLength: 2, maxLength: 10 }), { numRuns: 400, seed: 11 });
  for (const pieces of texts)
    await readRows(source, queryOf(`select key from person ${pieces.join('')}`)).catch(() => undefined);
  expect(await database.query('select key from person')).toHaveLength(2);
});

it('every statement goes by the protocol that takes one alone, so that none can be hidden behind another', async () => {
  const simple = vi.spyOn(pg.Connection.prototype, 'query');
  try {
    await source.read(queryOf('select key from person'), async (reader) => {
      await reader.digest();
      await reader.bucketDigests(2);
      await collect(reader.versions(null));
      await collect(reader.versions({ count: 2, numbers: [0] }));
      await collect(reader.rows(['a']));
      await collect(reader.allRows());
    });
    expect(simple.mock.calls.map(([text]) => text)).toEqual([]);
    // Seen, if it were used.
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('select 1; select 2');
    await client.end();
    expect(simple).toHaveBeenCalledOnce();
  } finally {
    simple.mockRestore();
  }
});
