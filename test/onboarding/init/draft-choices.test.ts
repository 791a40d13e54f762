import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table company (id int primary key, name text not null, city text, terms jsonb, lat_long text);
    create table vacancy (id int primary key, company_id int not null references company, title text not null, city text,
      closes_at timestamp, body jsonb);
    insert into company select g, 'PT ' || g, 'Kota Depok', null, '-6.2,106.8' from generate_series(1, 20) g;
    insert into vacancy select g, 1 + g % 20, 'Kasir ' || g, case g % 3 when 0 then 'Kota Bogor' when 1 then '  ' end,
      now() at time zone 'Asia/Jakarta' + make_interval(mins => g * 30 - 615), jsonb_build_object('id', case when g % 2 = 0 then '' else 'Teks' end, 'en', 'Text')
      from generate_series(1, 40) g`);
});
afterAll(() => database.drop());

/** Draft of these offices: one is the head office, and it is not the first by its key. */
async function withOffices(columns: string, branch: string, head: string): Promise<Tried> {
  await database.query(`drop table if exists company_office cascade;
    drop type if exists office_sort; create type office_sort as enum ('branch', 'head_office');
    create table company_office (id serial primary key, company_id int not null references company, street text, postal_code text, ${columns});
    insert into company_office (company_id, street, postal_code, ${columns.split(' ')[0] ?? ''})
      select g, 'Branch ' || g, '1' || g, ${branch} from generate_series(1, 20) g union all
      select g, 'Head ' || g, '2' || g, ${head} from generate_series(1, 20) g union all
      select g, 'Later ' || g, '3' || g, null from generate_series(1, 20) g`);
  return await draftFrom(database.url);
}

it.each([
  ['is_head_office boolean', 'false', 'true'],
  ['is_primary smallint', '0', '1'],
  ['is_main char(1)', "'N'", "'Y'"],
  ['office_type text', "'branch'", "'head'"],
  ['kind office_sort', "'branch'::office_sort", "'head_office'::office_sort"],
  ['jenis_kantor text', "'cabang'", "'kantor pusat'"],
  ['is_branch boolean', 'true', 'false'],
])('takes the address of the head office by %s, and says so', async (columns, branch, head) => {
  const draft = await withOffices(columns, branch, head);
  const query = draft.file('queries/companies.sql');
  const rows = await database.query<{ address: string }>(`select address from (${query}) q`);
  expect(rows).toHaveLength(20);
  expect(rows.filter(({ address }) => !address.startsWith('Head '))).toEqual([]);
  expect(query).toContain(
    `decide: a record may have several rows in company_office; this takes the main one by ${columns.split(' ')[0] ?? ''}`,
  );
});

it('takes the first by its key where nothing says which is the main one', async () => {
  const draft = await withOffices('note text', "'a'", "'b'");
  expect(draft.file('queries/companies.sql')).toContain('this takes the first');
});

it('an empty text does not win: the city of the company and the other language stand in', async () => {
  const vacancies = (await draftFrom(database.url)).file('queries/vacancies.sql');
  const rows = await database.query<{ region_id: string; description: string }>(
    `select * from (${vacancies}) q order by key`,
  );
  expect(rows.map(({ region_id }) => region_id).slice(0, 3)).toEqual([
    'Kota Depok',
    'Kota Depok',
    'Kota Bogor',
  ]);
  expect(rows.map(({ description }) => description).slice(0, 3)).toEqual(['Teks', 'Text', 'Teks']);
});

it('leaves out what is over by the clock of the zone in which it is written, whatever that of the session is', async () => {
  const draft = await draftFrom(database.url);
  const vacancies = draft.file('queries/vacancies.sql').replace('-- and (v.closes_at', 'and (v.closes_at');
  for (const zone of ['UTC', 'Pacific/Auckland', 'Asia/Jakarta']) {
    const client = new pg.Client({ connectionString: database.url, options: `-c TimeZone=${zone}` });
    await client.connect();
    const { rows } = await client.query<{ key: number }>(vacancies).finally(() => client.end());
    expect(
      rows.map(({ key }) => key).filter((key) => key <= 20),
      zone,
    ).toEqual([]);
    expect(rows, zone).toHaveLength(20);
  }
  expect(draft.said('closes_at: future 20 · past 20')).toHaveLength(1);
});

it('leaves both degrees in one column out, and says so', async () => {
  const draft = await draftFrom(database.url);
  const companies = draft.file('queries/companies.sql');
  expect([filledBy(companies, 'latitude'), filledBy(companies, 'longitude')]).toEqual([undefined, undefined]);
  expect(companies).toContain('decide: company.lat_long: latitude and longitude in one text');
  expect(draft.said('company.lat_long: latitude and longitude in one text')).toHaveLength(1);
});
