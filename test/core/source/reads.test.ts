import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../collect-garbage.js';
import type { Source } from '../../../src/core/ports/source.js';
import { DAILY } from '../../slow.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { collect, failure, openTestSource, queryOf, readRows, readVersions } from './source-fixture.js';

let database: TestDatabase;
let source: Source;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`create table company (id bigint primary key, name text, about text);
    insert into company select g, 'Company ' || g, repeat('x', 100) from generate_series(1, 10000) g`);
  source = openTestSource(database.url);
});
afterAll(() => source.close());

const keysOf = async (sql: string) => (await readVersions(source, queryOf(sql))).map(({ key }) => key);
const COMPANIES = queryOf('select id as key, name, about from company');

describe('the keys of a query', () => {
  it.each([
    [
      'uuid',
      `select v::uuid as key from unnest(array['B0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11','a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']) v`,
      ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ],
    [
      'uuid as text',
      `select v as key from unnest(array['b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11','B0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11']) v`,
      ['B0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11', 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ],
    [
      'bigint',
      'select v as key from unnest(array[10,9,9007199254740993]::int8[]) v',
      ['10', '9', '9007199254740993'],
    ],
    ['char(4)', `select v::char(4) as key from unnest(array['B','AB ']) v`, ['AB', 'B']],
    ['numeric', `select v as key from unnest(array[1.0,1.00]::numeric[]) v`, ['1.0', '1.00']],
    [
      'text with astral characters',
      `select v as key from unnest(array['😀','Ａ','é','z','Z','a b']) v`,
      ['Z', 'a b', 'z', 'é', 'Ａ', '😀'],
    ],
    [
      'composite text',
      `select a || ':' || b as key from (values (2,'x'),(10,'a')) t (a, b)`,
      ['10:a', '2:x'],
    ],
    ['duplicates', `select v as key from unnest(array['b','a','b']) v`, ['a', 'b', 'b']],
    [
      'aggregates',
      `select name as key, count(*) as about from company where id < 3 group by name order by 1 desc;`,
      ['Company 1', 'Company 2'],
    ],
    [
      'windows and limit',
      `select id as key, row_number() over (order by id) as about from company order by id desc limit 2`,
      ['10000', '9999'],
    ],
    ['unions', `(select 'b' as key) union all select 'a' -- the end`, ['a', 'b']],
    [
      'common tables',
      `/* head; */ with t as (select 'x?' as key) select * from t where '{"?":1}'::jsonb ? '?'; -- tail;`,
      ['x?'],
    ],
    ['no rows', `select 'a' as key where false`, []],
    ['one row', `select 1 as key`, ['1']],
  ])('come as text in the order of their bytes: %s', async (_name, sql, keys) => {
    expect(await keysOf(sql)).toEqual(keys);
  });

  it('are compared as bytes, also where the column takes upper and lower case for equal', async () => {
    await database.query(`create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create table code (code text collate any_case, stamp text collate "POSIX")`);
    await database.query(`insert into code values ('a', '1'), ('A', '2')`);
    await source.read(queryOf('select code as key, stamp as row_version from code'), async (reader) => {
      expect((await collect(reader.rows(['a']))).map(({ rowVersion }) => rowVersion)).toEqual(['1']);
      expect(await reader.digest()).toMatchObject({ count: 2, unversioned: 0 });
    });
  });

  it.each([
    ['null', `nullif(v, 'b')`],
    ['empty', `replace(v, 'b', '')`],
    ['blank in a padded column', `replace(v, 'b', '  ')::char(4)`],
  ])('end the entity when one is %s, in every way of reading', async (_name, key) => {
    const query = queryOf(`select ${key} as key from unnest(array['a','b','b']) v`);
    const reads = [
      () => source.read(query, (reader) => reader.digest()),
      () => readVersions(source, query),
      () => readRows(source, query),
    ];
    for (const read of reads) {
      const error = await failure(read());
      expect(error).toMatchObject({ code: 'null-key', scope: 'entity' });
      expect(error.message).toContain('queries/companies.sql');
    }
    const error = await failure(source.read(query, (reader) => reader.digest()));
    expect(error.message).toContain('null or empty in 2 rows');
  });
});

describe('keys and versions that no index holds', () => {
  const long = `(select string_agg(md5(n::text), '') from generate_series(1, 16) n)`;

  /** 502 bytes, 251 characters. */
  const wide = `repeat('ä', 251)`;

  it.each([
    ['key', 'of many characters', `select ${long} as key, 'a' as name`],
    ['key', 'of fewer characters than bytes', `select ${wide} as key, 'a' as name`],
    ['row_version', 'of many characters', `select 'k' as key, 'a' as name, ${long} as row_version`],
    [
      'row_version',
      'of fewer characters than bytes',
      `select 'k' as key, 'a' as name, ${wide} as row_version`,
    ],
  ])('end the entity: a long %s %s, in every way of reading', async (column, _name, sql) => {
    const query = queryOf(sql);
    for (const read of [
      () => source.read(query, (reader) => reader.digest()),
      () => readVersions(source, query),
      () => readRows(source, query),
    ]) {
      const error = await failure(read());
      expect(error).toMatchObject({ code: 'column-contract', scope: 'entity' });
      expect(error.message).toContain(`the ${column} of companies has more than 500 bytes`);
      expect(error.hint).toContain(`md5(…) as ${column}`);
    }
  });

  it('are read up to that length', async () => {
    const query = queryOf(`select repeat('ä', 250) as key, 'a' as name, repeat('x', 500) as row_version`);
    expect(await readRows(source, query)).toMatchObject([{ key: 'ä'.repeat(250) }]);
  });
});

describe('the digest', () => {
  it('is the same for equal rows, differs for one changed version, and is zero for none', async () => {
    const digestOf = (sql: string) => source.read(queryOf(sql), (reader) => reader.digest());
    const one = await digestOf(`select 'k' as key, 'a' as name`);
    expect(one).toEqual(await digestOf(`select 'k' as key, 'a' as name`));
    expect((await digestOf(`select 'k' as key, 'b' as name`)).sum0).not.toBe(one.sum0);
    expect(await digestOf(`select 'k' as key where false`)).toEqual({
      count: 0,
      sum0: '0',
      sum1: '0',
      unversioned: 0,
    });
  });

  it('is the one of key, separator and version that the ledger computes', async () => {
    const query = queryOf(`select * from (values ('a','1'), ('b',null)) t (key, row_version)`);
    const digest = await source.read(query, (reader) => reader.digest());
    const [expected] = await database.query<{ sum0: string; sum1: string }>(
      `select sum(hashtextextended(k, 0))::text as sum0, sum(hashtextextended(k, 1))::text as sum1
       from unnest(array[E'a\\x1f1']) k`,
    );
    expect(digest).toEqual({ count: 2, ...expected, unversioned: 1 });
  });

  it('adds up over the buckets, whose keys are those that versions() filters', async () => {
    await source.read(COMPANIES, async (reader) => {
      const all = await reader.digest();
      const buckets = await reader.bucketDigests(8);
      expect(all.count).toBe(10_000);
      expect([...buckets.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      const sum = [...buckets.values()].reduce((total, { sum0 }) => total + BigInt(sum0), 0n);
      expect(String(sum)).toBe(all.sum0);
      const some = await collect(reader.versions({ count: 8, numbers: [2, 5] }));
      expect(some).toHaveLength((buckets.get(2)?.count ?? 0) + (buckets.get(5)?.count ?? 0));
    });
  });
});

describe('row versions', () => {
  it('are the same from every way of reading', async () => {
    await source.read(COMPANIES, async (reader) => {
      const versions = await collect(reader.versions(null));
      const rows = await collect(reader.allRows());
      expect(rows.map(({ key, rowVersion }) => ({ key, rowVersion }))).toEqual(versions);
      expect(new Set(versions.map(({ rowVersion }) => rowVersion)).size).toBe(10_000);
    });
  });

  it('are null where the query says so, and are counted', async () => {
    const query = queryOf(`select * from (values (1, '2026'), (2, null)) t (key, row_version)`);
    expect(await readVersions(source, query)).toEqual([
      { key: '1', rowVersion: '2026' },
      { key: '2', rowVersion: null },
    ]);
  });

  it('see a change of any column beside one that has the name of the whole row', async () => {
    const version = async (name: string) =>
      (
        await readVersions(
          source,
          queryOf(`select 1 as key, 'x'::bytea as q, '${name}' as name`, ['q', 'name']),
        )
      )[0]?.rowVersion;
    expect(await version('a')).not.toBe(await version('b'));
  });

  it('see a change in a column that cannot be sent in binary form', async () => {
    const version = async (value: string) =>
      (await readVersions(source, queryOf(`select 1 as key, '${value}'::aclitem as name`)))[0]?.rowVersion;
    expect(await version('postgres=r/postgres')).not.toBe(await version('postgres=w/postgres'));
  });
});

describe('rows', () => {
  it('of some keys come in one pass, unknown ones are left out', async () => {
    const rows = await source.read(COMPANIES, (reader) => collect(reader.rows(['7', '10000', 'none'])));
    expect(rows.map(({ row }) => row.name).sort()).toEqual(['Company 10000', 'Company 7']);
  });

  it('of many keys come in seconds', async () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => String(index));
    const rows = await source.read(COMPANIES, (reader) => collect(reader.rows(keys)));
    expect(rows).toHaveLength(10_000);
  });

  it('come in smaller pages when they are wide', async () => {
    const query = queryOf(`select g as key, repeat('x', 200000) as about from generate_series(1, 120) g`);
    const sizes: number[] = [];
    await source.read(query, async (reader) => {
      for await (const page of reader.allRows()) sizes.push(page.length);
    });
    expect(sizes.reduce((sum, size) => sum + size)).toBe(120);
    expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(20);
  });

  it('may be left in the middle, and read again beside another pass', async () => {
    await source.read(COMPANIES, async (reader) => {
      for await (const page of reader.allRows()) {
        expect(page.length).toBeGreaterThan(0);
        break;
      }
      for await (const page of reader.versions(null)) {
        const rows = await collect(reader.rows([page[0]?.key ?? '']));
        expect(rows).toHaveLength(1);
      }
      expect(await collect(reader.allRows())).toHaveLength(10_000);
    });
  });

  it('are those of one moment', async () => {
    await source.read(COMPANIES, async (reader) => {
      const before = await reader.digest();
      await database.query(`update company set name = name || '!' where id = 5`);
      expect(await reader.digest()).toEqual(before);
    });
  });

  it('are 200,000 of 1 kB in memory that stays flat', async ({ skip }) => {
    skip(DAILY);
    const query = queryOf(`select g as key, repeat('x', 1000) as about from generate_series(1, 200000) g`);
    let count = 0;
    let highest = 0;
    const alive = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = alive();
    let next = 0;
    await source.read(query, async (reader) => {
      for await (const page of reader.allRows()) {
        count += page.length;
        if (count < next) continue;
        next += 20_000;
        highest = Math.max(highest, alive() - before);
      }
    });
    expect(count).toBe(200_000);
    // Everything at once would be 200 MB and more.
    expect(highest).toBeLessThan(60_000_000);
  });
});

describe('where a query reads', () => {
  const sightOf = (from: Source, sql: string) => from.read(queryOf(sql), (reader) => reader.sight());
  let own: TestDatabase;
  let reader: Source;

  beforeAll(async () => {
    own = await createTestDatabase();
    const role = `${own.name}_reader`;
    await own.query(`create role ${role} login password 'secret'`);
    await own.query(`create schema hr; create table hr.person (id int);
      grant usage on schema hr to ${role}; grant select on all tables in schema hr to ${role}`);
    const url = Object.assign(new URL(own.url), { username: role, password: 'secret' }).href;
    reader = openTestSource(url);
    return async () => {
      await reader.close();
      await own.query(`drop owned by ${role}; drop role ${role}`);
    };
  });

  it('a role without rights sees the server and the database', async () => {
    const [known] = await own.query<Record<string, string>>(
      `select cast(system_identifier as text) as system, current_database() as database,
         (select cast(oid as text) from pg_database where datname = current_database()) as "databaseOid" from pg_control_system()`,
    );
    expect(await sightOf(reader, 'select id as key from hr.person')).toEqual({
      origin: known,
      replica: null,
    });
  });

  it('a server that hides its number still shows its database, and the read goes on', async () => {
    await own.query('revoke execute on function pg_control_system() from public');
    const seen = await reader.read(queryOf('select id as key from hr.person'), async (open) => ({
      sight: await open.sight(),
      digest: await open.digest(),
    }));
    expect(seen).toMatchObject({
      sight: { origin: { system: null, database: own.name }, replica: null },
      digest: { count: 0 },
    });
  });
});
