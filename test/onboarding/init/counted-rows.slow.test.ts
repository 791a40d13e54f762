import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table company (id int primary key, name text not null, city text);
    insert into company select g, 'PT ' || g, 'Kota Depok' from generate_series(1, 20) g;
    create unlogged table vacancy (id int, title text not null, employment_type text, status text);
    insert into vacancy select g, 'Kasir', case when g <= 500000 then 'Full time' else 'Magang' end,
      case when g <= 500000 then 'live' else 'draft' end from generate_series(1, 500010) g;
    alter table vacancy add primary key (id)`);
  draft = await draftFrom(database.url);
});

it('says of a large table that only its first rows were counted, so that codes may be missing', () => {
  expect(draft.file('reference/job-types.csv')).not.toContain('Magang');
  expect(draft.said('reference/job-types.csv')).toEqual([
    expect.stringContaining(
      '500,000 of 500,000 vacancies. Only the first 500,000 rows of a table were counted: doctor names the codes that the file lacks',
    ),
  ]);
  expect(draft.said('reference/cities.csv')[0]).toMatch(/ 20 of 20 companies$/);
});

it('offers no list of states that may lack one', () => {
  const query = draft.file('queries/vacancies.sql');
  expect(query).toContain('-- and v.status is not null');
  expect(draft.said("status: 'live' 500,000 (of the first 500,000 rows")).toHaveLength(1);
});
