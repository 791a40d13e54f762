import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { CHECKS } from '../../../src/features/doctor/checks.js';
import { unorderedAggregates } from '../../../src/features/doctor/sql/conditions.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { createDoctorWorld } from './doctor-world.js';

describe('healthy', () => {
  vi.setConfig({ testTimeout: 60_000 });

  test('a role that may only read is enough: before migrate nothing fails, and only the missing state is a warning', async () => {
    const world = await createDoctorWorld();
    const { checks, exitCode, stderr, at } = await world.doctor();
    expect(at('fail'), JSON.stringify(checks, null, 1)).toEqual([]);
    expect(at('warn'), JSON.stringify(checks, null, 1)).toEqual(['state']);
    expect(exitCode, stderr).toBe(0);
    expect(checks.find(({ id }) => id === 'state')?.message).toMatch(
      /no tables yet, and the role .* may not make them/,
    );
    for (const check of checks) {
      expect(Object.keys(check)).toEqual(['id', 'level', 'entity', 'message', 'hint', 'count', 'sample']);
    }
  });

  test('every check has its line, and each is known to the documentation', async () => {
    const world = await createDoctorWorld();
    const { checks } = await world.doctor();
    const ids = new Set(checks.map(({ id }) => id));
    const known = CHECKS.map(({ id }) => id);
    expect([...ids].filter((id) => !known.includes(id))).toEqual([]);
    // The world has neither an adapter nor application statuses nor a client certificate.
    const absent = ['adapter', 'applications', 'client-certificate'];
    expect(known.filter((id) => !ids.has(id)).sort()).toEqual(absent);
    const passing = new Set(checks.filter(({ level }) => level === 'pass').map(({ id }) => id));
    expect(known.filter((id) => !passing.has(id)).sort()).toEqual([...absent, 'state']);
  });

  test('--entity reports on that entity alone, and reads its parents for it', async () => {
    const world = await createDoctorWorld();
    await world.sql(
      'delete from hr.employer where id = 20 and not exists (select 1 from hr.opening where employer_id = 20)',
    );
    const { checks, of } = await world.doctor('--entity', 'vacancies');
    expect([...new Set(checks.map(({ entity }) => entity))].sort()).toEqual([null, 'vacancies'].sort());
    expect(of('parents')[0]).toMatchObject({ level: 'pass', entity: 'vacancies' });
  });

  test('nothing is written anywhere: no request but a Find, no table', async () => {
    const world = await createDoctorWorld();
    await world.doctor();
    expect(world.sandbox.requests().map(({ method, status }) => `${method} ${status}`)).toEqual([
      'GET 404',
      'GET 404',
    ]);
    expect(await world.sql(`select nspname from pg_namespace where nspname like 'placement%'`)).toEqual([]);
  });

  test('of an entity that is not configured no Find is sent', async () => {
    const world = await createDoctorWorld();
    world.change('placement-sync.yaml', '  vacancies: { query: openings.sql, onVanished: close }\n', '');
    const { of } = await world.doctor();
    expect(world.sandbox.requests().map(({ method, status }) => `${method} ${status}`)).toEqual(['GET 404']);
    expect(of('credentials').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^jobs, .*compan.*: signature accepted/i),
    ]);
  });
});

describe('distinct aggregates', () => {
  const WAYS = [
    'set enable_hashagg = on',
    'set enable_hashagg = off',
    'set enable_sort = off',
    'set enable_seqscan = off',
    'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0',
  ];

  test('an aggregate with DISTINCT has the order of its values under every plan, so nothing is said of it', async () => {
    const database = await createTestDatabase();
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
});
