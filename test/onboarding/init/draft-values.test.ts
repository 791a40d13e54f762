import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table company (id int primary key, name text not null, city_code text, status text);
    insert into company select g, 'PT ' || g, '3174', 's' || g % 15 from generate_series(1, 30) g;
    create table kind (code text primary key, name text);
    insert into kind values ('PT', 'Pegawai Tetap'), ('FT', '+Penuh waktu');
    create table vacancy (id int primary key, company_id int references company, title text not null,
      job_type text references kind, status int);
    insert into vacancy select g, g, 'Kasir ' || g, case g % 2 when 0 then 'PT' else 'FT' end, g % 20
      from generate_series(1, 30) g`);
  draft = await draftFrom(database.url);
});
afterAll(() => database.drop());

it('takes no city by a number alone, and asks whose code it is', () => {
  expect(draft.file('reference/cities.csv').split('\n')[1]).toMatch(
    /^3174,,,60,"ambiguous: KOTA ADM\. JAKARTA SELATAN in the list of the Ministry of Home Affairs;/,
  );
  expect(draft.said('reference/cities.csv')[0]).toContain('0 of 1 codes (1 ambiguous); 0 of 30 companies');
});

it('takes an id by the name of a code, not by the code', () => {
  const [, ...lines] = draft.file('reference/job-types.csv').trimEnd().split('\n');
  expect(lines).toEqual([
    "FT,0dc1aaf7-9935-442b-ab32-8bae23284af9,'+Penuh waktu,15,",
    'PT,,Pegawai Tetap,15,',
  ]);
});

it('a condition that is uncommented as it stands leaves no state out', async () => {
  for (const [entity, condition] of [
    ['companies', /-- (and c\.status in \(.*\))/],
    ['vacancies', /-- (and v\.status is not null)/],
  ] as const) {
    const query = draft.file(`queries/${entity}.sql`);
    expect(query).toMatch(condition);
    expect(await database.query(query.replace(condition, '$1')), entity).toHaveLength(30);
  }
  expect(draft.said('… 4 more values')).toHaveLength(1);
});
