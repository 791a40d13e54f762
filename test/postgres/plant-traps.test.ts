import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plantTraps, sprungTraps } from './plant-traps.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`create table t (a int, b text, c date, d numeric)`);
  await database.query(`insert into t values (1, 'x', '2026-01-01', 1)`);
  const { strictUrl } = await plantTraps(database);
  client = new pg.Client({ connectionString: strictUrl });
  await client.connect();
});
afterAll(() => client.end());

const run = async (sql: string) => {
  await client.query('begin read only');
  await client.query(sql);
  await client.query('rollback');
};

it('a statement that qualifies everything springs no trap', async () => {
  await run(`select pg_catalog.hashtextextended(b, 0), a OPERATOR(pg_catalog.=) 1, pg_catalog.count(*),
    pg_catalog.sum(a) from t where cast(a as pg_catalog.text) OPERATOR(pg_catalog.||) b OPERATOR(pg_catalog.<>) ''
    group by 1, 2 order by 1`);
  await run(
    `select 1 from pg_catalog.pg_settings where name OPERATOR(pg_catalog.=) any (cast(null as pg_catalog.text[]))`,
  );
  expect(await sprungTraps(database)).toEqual([]);
});

it.each([
  ['select hashtextextended(b, 0) from t', 'hashtextextended(text,bigint)'],
  ['select a = 1 from t', '=(integer,integer)'],
  ["select b || 'y' from t", '||(text,text)'],
  ['select count(*) from t', 'count()'],
  ['select sum(a) from t', 'sum(integer)'],
  ["select 1 from t where b in ('x', 'y')", '=(text,text)'],
  ['select 1 from t where c = any (select c from t)', '=(date,date)'],
  ['select 1 from t where a between 0 and 2', '>=(integer,integer)'],
  ['select case d when d then 4 end from t', '=(numeric,numeric)'],
  ["select b like 'x%' from t", '~~(text,text)'],
  ['select cast(a as text) from t', 'type text'],
  ["select cast('{a}' as bytea[]) from t", 'type bytea'],
  ['select 1 from pg_settings', 'relation pg_settings'],
  ['select unnest(array[1])', 'unnest(anyarray)'],
])('%s springs %s, and no rollback hides it', async (sql, name) => {
  await run(sql);
  expect(await sprungTraps(database)).toContain(name);
});
