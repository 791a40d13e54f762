import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table vacancy (id int primary key, title text not null, location text);
    insert into vacancy select g, 'Kasir ' || g,
      case when g <= 50 then 'Depok, Indonesia' when g <= 60 then 'Jurong, Singapore' when g <= 95 then 'Bandung' end
      from generate_series(1, 100) g`);
  draft = await draftFrom(database.url);
});
afterAll(() => database.drop());

it('of "City, Country", a text without a comma is a city at home', async () => {
  const rows = await database.query(
    `select region_id, region_country_code, count(*)::int as count from (${draft.file('queries/vacancies.sql')}) q
     group by 1, 2 order by 3 desc`,
  );
  expect(rows).toEqual([
    { region_id: 'Depok', region_country_code: 'Indonesia', count: 50 },
    { region_id: 'Bandung', region_country_code: null, count: 35 },
    { region_id: null, region_country_code: 'Singapore', count: 10 },
    { region_id: null, region_country_code: null, count: 5 },
  ]);
});

it('asks whether that is right, in the file and in the report', () => {
  const text = 'a text without a comma counts as a city at home';
  expect(draft.file('queries/vacancies.sql').replaceAll(/\s+--\s+/g, ' ')).toContain(text);
  expect(draft.said(text)).toHaveLength(1);
});
