import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Source } from '../../src/ports/source.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { failure, openTestSource, queryOf, readRows } from './source-fixture.js';

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

afterAll(async () => {
  await source.close();
  await database.drop();
});

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
  `select lo_create(0) as key`,
  `do $$ begin delete from person; end $$`,
  `copy person to program 'true'`,
  `table person; truncate person`,
])('a query that would write is refused, and nothing is written: %s', async (sql) => {
  const error = await failure(readRows(source, queryOf(sql)));
  expect(error).toMatchObject({ code: 'query-failed', scope: 'entity' });
  expect(await database.query('select key from person order by key')).toEqual([{ key: 'a' }, { key: 'b' }]);
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
