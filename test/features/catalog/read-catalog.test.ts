import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { Catalog } from '../../../src/features/catalog/catalog.js';
import { countRows, readCatalog, readTables } from '../../../src/features/catalog/read-catalog.js';
import { type ReadOnly, withReadOnly } from '../../../src/features/catalog/with-read-only.js';
import { readSource } from '../../../src/features/doctor/read/read-source.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';

describe('read catalog', () => {
  const SCHEMA = `
create schema "HR App";
create type "HR App".state as enum ('draft', 'live');
create domain grade as text check (value in ('S1', 'D3'));
create table firm (id bigserial primary key, name varchar(80) not null, code char(4) unique, "order" int);
comment on table firm is 'employers';
create table "HR App"."jobPosting" (
  "jobId" uuid primary key default gen_random_uuid(),
  "companyId" bigint references firm, state "HR App".state not null, tags text[], grade grade,
  kind smallint check (kind in (1, 2)), pay numeric, secret text, full_pay numeric generated always as (pay * 12) stored,
  body jsonb, closes timestamp, seen timestamptz, during daterange, updated_at timestamptz);
create index on "HR App"."jobPosting" ("companyId", lower(secret));
create unique index on "HR App"."jobPosting" (secret) where secret is not null;
alter table "HR App"."jobPosting" enable row level security;
create policy mine on "HR App"."jobPosting" for select using (state = 'live');
create view open_jobs as select "jobId", state from "HR App"."jobPosting";
create table visit (at date not null, firm bigint) partition by range (at);
create table visit_1 partition of visit for values from ('2026-01-01') to ('2027-01-01');
insert into firm (name) select 'Firm ' || g from generate_series(1, 30) g;
insert into visit values ('2026-02-02', 1), ('2026-02-03', 1);
insert into "HR App"."jobPosting" ("companyId", state) values (1, 'draft'), (1, 'live');
create table hidden (id int primary key);
create schema ledger;
create table ledger.sync_state (key text);
create table ledger.entity_state (entity text);
`;

  let database: TestDatabase;
  let catalog: Catalog;
  const role = `catalog_reader_${String(process.pid)}`;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(SCHEMA);
    await database.query(`create role ${role} login password 'pw';
    grant usage on schema "HR App" to ${role};
    grant select on firm, visit, open_jobs to ${role};
    grant select ("jobId", "companyId", state) on "HR App"."jobPosting" to ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'pw';
    catalog = await withReadOnly({ url: url.href, statementTimeoutMs: 20_000 }, readCatalog);
  });
  afterAll(async () => {
    await database.query(`drop owned by ${role}; drop role ${role}`);
  });

  const table = (name: string) => {
    const found = catalog.tables.find((each) => each.name === name);
    if (!found) throw new Error(`no table ${name}`);
    return found;
  };
  const column = (of: string, name: string) => table(of).columns.find((each) => each.name === name);

  it('has tables, views and partitioned tables of all schemas, but no partition and no ledger', () => {
    expect(catalog.tables.map(({ sqlName, title, kind }) => [sqlName, title, kind])).toEqual([
      ['"HR App"."jobPosting"', '"HR App"."jobPosting"', 'table'],
      ['public.firm', 'firm', 'table'],
      ['public.hidden', 'hidden', 'table'],
      ['public.open_jobs', 'open_jobs', 'view'],
      ['public.visit', 'visit', 'partitioned-table'],
    ]);
    expect(table('firm').comment).toBe('employers');
  });

  it('counts rows of what was never analysed, sees what the policies show, and none of what it may not read', () => {
    expect(catalog.tables.map(({ name, rows, exact }) => [name, rows, exact])).toEqual([
      ['jobPosting', 1, true],
      ['firm', 30, true],
      ['hidden', null, false],
      ['open_jobs', 2, true],
      ['visit', 2, true],
    ]);
    expect(table('hidden').selectable).toBe(false);
  });

  it('knows the kind of each column, its quoted name, and who fills it', () => {
    const kinds = table('jobPosting').columns.map(({ name, kind }) => [name, kind]);
    expect(Object.fromEntries(kinds)).toEqual({
      jobId: 'uuid',
      companyId: 'integer',
      state: 'enum',
      tags: 'array',
      grade: 'text',
      kind: 'integer',
      pay: 'number',
      secret: 'text',
      full_pay: 'number',
      body: 'json',
      closes: 'timestamp',
      seen: 'timestamptz',
      during: 'range',
      updated_at: 'timestamptz',
    });
    expect(column('jobPosting', 'jobId')).toMatchObject({ sqlName: '"jobId"', nullable: false });
    expect(column('firm', 'order')?.sqlName).toBe('"order"');
    expect(column('firm', 'id')?.generated).toBe(false);
    expect(column('jobPosting', 'full_pay')?.generated).toBe(true);
    expect(column('jobPosting', 'tags')?.elementKind).toBe('text');
    expect(column('jobPosting', 'state')).toMatchObject({
      enumLabels: ['draft', 'live'],
      type: '"HR App".state',
    });
    expect(column('jobPosting', 'kind')?.checkValues).toEqual(['1', '2']);
    expect(column('jobPosting', 'grade')?.checkValues).toEqual(['S1', 'D3']);
    expect(column('jobPosting', 'secret')?.selectable).toBe(false);
    expect(column('jobPosting', 'state')?.selectable).toBe(true);
  });

  it('has keys, foreign keys and indexes', () => {
    expect(table('firm').primaryKey).toEqual(['id']);
    expect(table('firm').uniqueKeys).toEqual([['id'], ['code']]);
    expect(table('jobPosting').foreignKeys).toMatchObject([{ columns: ['companyId'], toColumns: ['id'] }]);
    expect(table('jobPosting').indexes).toMatchObject([
      { columns: ['jobId'], unique: true },
      { columns: ['companyId', null], unique: false },
      { columns: ['secret'], unique: true, partial: true },
    ]);
  });

  it('has what row security does to this role', () => {
    expect(table('jobPosting').rowSecurity).toMatchObject({
      applies: true,
      policies: [{ name: 'mine', expression: expect.stringContaining('live') as string }],
    });
    expect(table('firm').rowSecurity.applies).toBe(false);
    expect(catalog.server).toMatchObject({
      role,
      superuser: false,
      encoding: 'UTF8',
    });
  });

  it('cannot write, and goes on after a statement that the server refuses', async () => {
    await withReadOnly({ url: database.url, statementTimeoutMs: 20_000 }, async (read) => {
      expect(await read.attempt('delete from public.firm')).toMatchObject({ refused: { sqlstate: '25006' } });
      expect(await read.attempt('select 1; commit')).toMatchObject({ refused: { sqlstate: '42601' } });
      expect(await read.run('select count(*)::int as count from public.firm')).toEqual([{ count: 30 }]);
    });
  });

  it('ends a statement that takes too long, and says which server cannot be reached', async () => {
    await withReadOnly({ url: database.url, statementTimeoutMs: 20 }, async (read) => {
      expect(await read.attempt('select pg_sleep(60)')).toMatchObject({ refused: { sqlstate: '57014' } });
    });
    const url = new URL(database.url);
    url.password = 'wrong-password';
    url.username = role;
    const error: unknown = await withReadOnly({ url: url.href, statementTimeoutMs: 1 }, () =>
      Promise.resolve(),
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SyncError);
    expect(error).toMatchObject({ code: 'source-unavailable' });
    expect(String(error)).not.toContain('wrong-password');
  });
});

describe('count rows', () => {
  /** Longer than a test may take: who waits for it fails. */
  const LONG = 600_000;

  async function openViews() {
    const database = await createTestDatabase();
    await database.query(`
    create table firm (id int primary key);
    insert into firm select generate_series(1, 30);
    create view a_slow as select f.id from firm f where pg_sleep(600) is not null;
    create view b_slow as select f.id from firm f where pg_sleep(600) is not null;
    create view c_quick as select * from firm`);
    return { url: database.url, statementTimeoutMs: LONG };
  }

  test('a slow view has a short time of its own, and the others are counted after it', async () => {
    const found = await withReadOnly(await openViews(), async (read) => {
      const tables = await readTables(read, ['public']);
      const counts = await countRows(read, tables, { viewMs: 200, viewsMs: LONG });
      const [after] = await read.run<{ ms: string }>(`select current_setting('statement_timeout') as ms`);
      return { rows: tables.map(({ name, oid }) => [name, counts.get(oid)?.rows]), after: after?.ms };
    });
    expect(found.rows).toEqual([
      ['a_slow', null],
      ['b_slow', null],
      ['c_quick', 30],
      ['firm', 30],
    ]);
    // Whatever follows has the time that it had.
    expect(found.after).toBe('10min');
  });

  test('when the time of all views is over, no further one is counted', async () => {
    const rows = await withReadOnly(await openViews(), async (read) => {
      const tables = await readTables(read, ['public']);
      const counts = await countRows(read, tables, { viewMs: LONG, viewsMs: 0 });
      return tables.map(({ name, oid }) => [name, counts.get(oid)?.rows]);
    });
    expect(rows).toEqual([
      ['a_slow', null],
      ['b_slow', null],
      ['c_quick', null],
      ['firm', 30],
    ]);
  });

  test('doctor counts no view, and no table before a query needs it', async () => {
    const { tables } = await readSource(await openViews());
    expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['a_slow', null],
      ['b_slow', null],
      ['c_quick', null],
      ['firm', null],
    ]);
  });

  test('without a count the catalogue sends no statement to a table of the partner', async () => {
    const sent: string[] = [];
    await withReadOnly(await openViews(), async (read) => {
      const noting: ReadOnly = {
        ...read,
        attempt: (text, values) => {
          sent.push(text);
          return read.attempt(text, values);
        },
      };
      await readCatalog(noting, { counted: false });
    });
    expect(sent).toEqual([]);
  });
});
