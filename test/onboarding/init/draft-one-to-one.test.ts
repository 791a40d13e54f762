import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy } from './draft-world.js';

let database: TestDatabase;

/** Firms that keep their address with a record of the address book, which has others, too. */
beforeEach(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table kota (id int primary key, nama text);
    create table book_entry (id int primary key, label text, street text, zip text, town text, kota_id int references kota, homepage text);
    create table firm (id int primary key, name text not null, entry_id int not null references book_entry, group_id int references book_entry);
    create table vacancy (id int primary key, title text, description text, closes_at date, firm_id int references firm);
    insert into kota values (1, 'Kota Depok'), (2, 'Kota Bogor');
    insert into book_entry select g, 'B' || g, 'Jl. ' || g, '1' || g, case when g = 1 then 'Depok' end, 1 + g % 2, 'https://b.example/' || g from generate_series(1, 80) g;
    insert into firm select g, 'PT ' || g, 40 + g, 1 + g % 2 from generate_series(1, 30) g;
    insert into vacancy select g, 'Kasir ' || g, 'Teks', '2031-01-01', 1 + g % 30 from generate_series(1, 60) g`);
});
afterEach(() => database.drop());

it('takes what the table does not have from the row that each of its rows names', async () => {
  const draft = await draftFrom(database.url);
  expect(draft.tables).toEqual({ companies: 'firm', vacancies: 'vacancy' });
  const rows = await database.query<Record<string, unknown>>(
    `select * from (${draft.file('queries/companies.sql')}) q order by key`,
  );
  expect(rows).toHaveLength(30);
  expect(rows[1]).toMatchObject({ key: 2, name: 'PT 2', address: 'Jl. 42', postal_code: '142' });
  const vacancies = await database.query<Record<string, unknown>>(draft.file('queries/vacancies.sql'));
  expect(vacancies.every(({ region_id }) => [1, 2].includes(region_id as number))).toBe(true);
});

it('of two columns for the city, takes the one that is filled', async () => {
  const draft = await draftFrom(database.url);
  const companies = draft.file('queries/companies.sql');
  expect(filledBy(companies, 'region_id')).toMatch(/\.kota_id$/);
  const cities = await database.query<{ region_id: unknown }>(companies);
  expect(cities.filter(({ region_id }) => region_id === null)).toEqual([]);
});

it('does not follow a link that several rows share', async () => {
  await database.query('update firm set entry_id = 1 + id % 3');
  expect(filledBy((await draftFrom(database.url)).file('queries/companies.sql'), 'address')).toBeUndefined();
});
