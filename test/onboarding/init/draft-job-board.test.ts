import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, openDatabase, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;
let vacancies: string;

beforeAll(async () => {
  database = await openDatabase('board');
  draft = await draftFrom(database.url);
  vacancies = draft.file('queries/vacancies.sql');
});
afterAll(() => database.drop());

it('makes companies of the names in the vacancies, one for each name', async () => {
  const companies = await database.query<{ key: string }>(draft.file('queries/companies.sql'));
  expect(companies.map(({ key }) => key).sort()).toEqual([
    'acme 0',
    'acme 1',
    'acme 2',
    'acme 3',
    'acme 4',
    'acme 5',
    'acme 6',
  ]);
  const named = await database.query<{ company_key: string }>(
    `select distinct company_key from (${vacancies}) q`,
  );
  expect(named.map(({ company_key }) => company_key).sort()).toEqual(companies.map(({ key }) => key).sort());
});

it('takes attributes from rows, and never those of people', () => {
  expect(vacancies).toContain(
    "max(case when jlm.meta_key = '_education' then jlm.meta_value end) as min_education",
  );
  expect([...draft.files.values()].join('\n')).not.toMatch(/contact_phone|rahasia/);
});

it('takes the city before the comma, and says how to get the country', () => {
  expect(filledBy(vacancies, 'region_id')).toBe(
    "case when btrim(split_part(v.location, ',', 2)) in ('Indonesia', '') then btrim(split_part(v.location, ',', 1)) end",
  );
  expect(filledBy(vacancies, 'region_country_code')).toBe(
    "nullif(btrim(split_part(v.location, ',', 2)), '')",
  );
});

it('takes only numbers from prose, and says that pay has a period', () => {
  expect(draft.said('job_listing.salary_text: 34 of 50 values are prose')).toHaveLength(1);
  expect(draft.said('job_listing.salary_per: the period of the pay')).toHaveLength(1);
});

it('takes the first of a list of types, and does not take a company’s website for the vacancy’s address', () => {
  expect(filledBy(vacancies, 'job_type')).toBe('v.job_types[1]');
  expect(filledBy(vacancies, 'client_url')).toBeUndefined();
});
