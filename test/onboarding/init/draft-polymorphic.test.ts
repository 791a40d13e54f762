import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;

/** One table of places, of texts, of labels and of pictures for records of all sorts. */
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table firms (id uuid primary key, name text not null, website text);
    create table postings (id int primary key, firm_id uuid not null references firms, title text, closes_on date);
    create table towns (id int primary key, name text);
    create table locations (id int primary key, locatable_type text, locatable_id text, street text, postcode text, town_id int references towns);
    create table long_texts (id int primary key, name text, body text, owner_class text, owner_id text);
    create table labels (id int primary key, name text);
    create table labellings (id int primary key, label_id int references labels, target_model text, target_id int, context text);
    create table pictures (id int primary key, caption text, file text, parenttype text, parent uuid);
    insert into towns values (1, 'Kota Depok'), (2, 'Kota Bogor');
    insert into firms select md5('f' || g)::uuid, 'PT ' || g, null from generate_series(1, 20) g;
    insert into postings select g, md5('f' || (1 + g % 20))::uuid, 'Kasir ' || g, '2031-01-01' from generate_series(1, 60) g;
    insert into locations select g, 'Firm', md5('f' || g)::uuid::text, 'Jl. ' || g, '1' || g, 1 from generate_series(1, 20) g;
    insert into locations select 100 + g, 'Posting', g::text, 'Tempat ' || g, null, 2 from generate_series(1, 60) g;
    insert into long_texts select g, 'description', 'Uraian ' || g, 'App\\Models\\Posting', g::text from generate_series(1, 60) g;
    insert into long_texts select 100 + g, 'requirements', 'Syarat ' || g, 'App\\Models\\Posting', g::text from generate_series(1, 60) g;
    insert into long_texts select 200 + g, 'about', 'Tentang ' || g, 'App\\Models\\Firm', md5('f' || g)::uuid::text from generate_series(1, 20) g;
    insert into labels values (1, 'Microsoft Excel'), (2, 'Kasir'), (3, 'urgent');
    insert into labellings select g, 1 + g % 2, 'jobs.posting', g, 'skills' from generate_series(1, 60) g;
    insert into labellings select 100 + g, 3, 'jobs.posting', g, 'flags' from generate_series(1, 60) g;
    insert into pictures select g, 'Logo', 'logo.png', 'Firm', md5('f' || g)::uuid from generate_series(1, 20) g`);
  draft = await draftFrom(database.url);
});
afterAll(() => database.drop());

it('takes texts, places and skills of each sort of record, by type and id', async () => {
  const rows = await database.query<Record<string, unknown>>(
    `select * from (${draft.file('queries/vacancies.sql')}) q order by key`,
  );
  expect(rows).toHaveLength(60);
  expect(rows[6]).toMatchObject({
    key: 7,
    description: 'Uraian 7',
    qualification: 'Syarat 7',
    region_id: 2,
    skills: ['kasir'],
  });
  expect(rows.filter(({ skills }) => (skills as string[]).includes('urgent'))).toEqual([]);
  const firms = await database.query<Record<string, unknown>>(
    `select * from (${draft.file('queries/companies.sql')}) q where name = 'PT 3'`,
  );
  expect(firms).toMatchObject([{ about: 'Tentang 3', region_id: 1, address: 'Jl. 3', postal_code: '13' }]);
});

it('writes the condition on the type into each grouped join', () => {
  const companies = draft.file('queries/companies.sql');
  expect(companies).toContain("where locatable_type = 'Firm'");
  expect(companies).not.toMatch(/lateral/i);
  expect(filledBy(draft.file('queries/vacancies.sql'), 'region_id')).toContain('region_id');
});

it('names rows of a sort that it does not use, with a join that is ready', () => {
  expect(draft.said("pictures with parenttype 'Firm': rows that belong to firms")).toHaveLength(1);
});

it('says that skills were not found', async () => {
  await database.query('drop table labellings');
  const without = await draftFrom(database.url);
  expect(without.said('not found: ').join()).toContain('skills');
  expect(without.file('queries/vacancies.sql')).toContain('decide: skills was not found');
});

it('goes by pairs to the places of a record, also where both ends have a type', async () => {
  await database.query(`
    drop table locations;
    create table "book address" (name text primary key, street text, city text, postcode text, is_primary boolean);
    create table "book link" (name text primary key, parent text, parenttype text, link_kind_type text, link_kind text);
    insert into "book address" select 'A-' || g, 'Jl. Buku ' || g, 'Kota Depok', '1' || g, true from generate_series(1, 40) g;
    insert into "book link" select 'L-' || g, 'A-' || g, 'Book Address', 'Firm', md5('f' || g)::uuid::text from generate_series(1, 20) g;
    insert into "book link" select 'M-' || g, 'A-' || (20 + g), 'Book Address', 'Posting', g::text from generate_series(1, 20) g`);
  const companies = (await draftFrom(database.url)).file('queries/companies.sql');
  const rows = await database.query<Record<string, unknown>>(
    `select * from (${companies}) q where name = 'PT 3'`,
  );
  expect(rows).toMatchObject([{ address: 'Jl. Buku 3', region_id: 'Kota Depok', postal_code: '13' }]);
});
