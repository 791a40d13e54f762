import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { unorderedAggregates } from '../../../src/onboarding/doctor/sql/conditions.js';
import { createTestDatabase } from '../../postgres/test-database.js';

const WAYS = [
  'set enable_hashagg = on',
  'set enable_hashagg = off',
  'set enable_sort = off',
  'set enable_seqscan = off',
  'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0',
];

test('an aggregate with DISTINCT has the order of its values under every plan, so nothing is said of it', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.query(`create table tag (job int, name text, rank int);
    insert into tag select n % 50, 'tag ' || (n * 7919 % 97), n % 13 from generate_series(1, 5000) n order by random();
    create index on tag (job, name desc); analyze tag`);
  const unordered = `select job, array_agg(distinct name) as names, string_agg(distinct name, ',') as listed,
    jsonb_agg(distinct rank) as ranks from tag group by job`;
  const ordered = `select job, array_agg(distinct name order by name) as names,
    string_agg(distinct name, ',' order by name) as listed, jsonb_agg(distinct rank order by rank) as ranks
    from tag group by job`;
  expect(unorderedAggregates(unordered)).toEqual([]);
  for (const way of WAYS) {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(way);
    const rowsOf = async (sql: string) => (await client.query(`${sql} order by job`)).rows as unknown[];
    const [given, expected] = [await rowsOf(unordered), await rowsOf(ordered)];
    await client.end();
    expect(given, way).toEqual(expected);
  }
});
