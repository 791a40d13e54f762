import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, openDatabase, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;
let vacancies: string;
const role = `draft_reader_${String(process.pid)}`;

beforeAll(async () => {
  database = await openDatabase('careers');
  await database.query(`create role ${role} login password 'pw';
    grant usage on schema careers to ${role};
    grant select on careers."Country", careers."City", careers."OfficeAddress", careers."JobPosting",
      careers."PostingEmployer", careers."Skill", careers."PostingSkill" to ${role};
    grant select ("employerId", "legalName", "addressId", "registrationNumber", sector, "aboutHtml", "homepage", "logoUrl",
      "isActive", "updatedAt") on careers."Employer" to ${role}`);
  draft = await draftFrom(database.url);
  vacancies = draft.file('queries/vacancies.sql');
});
afterAll(async () => {
  await database.query(`drop owned by ${role}; drop role ${role}`).catch(() => undefined);
  await database.drop();
});

function asReader(): string {
  const url = new URL(database.url);
  url.username = role;
  url.password = 'pw';
  return url.href;
}

it('finds tables of another schema with quoted names', () => {
  expect(draft.tables).toEqual({ companies: 'careers."Employer"', vacancies: 'careers."JobPosting"' });
});

it('takes one of several employers by a group, and asks which', () => {
  expect(filledBy(vacancies, 'company_key')).toBe('posting_employer.key');
  expect(vacancies).toContain(
    '(array_agg(pe."employerId" order by pe."isLead" desc nulls last, pe."employerId"))[1] as key',
  );
  expect(draft.said('one record may have several Employer')).toHaveLength(1);
});

it('finds the city by way of the address, also of the company', () => {
  expect(filledBy(draft.file('queries/companies.sql'), 'region_id')).toBe('office_address."cityId"');
  expect(vacancies).toContain('-- decide: region_id of its company');
  expect(draft.file('reference/cities.csv')).toContain(
    '1,,Bandung,40,ambiguous: Bandung is a city (Kota) and a regency (Kabupaten)',
  );
});

it('opens ranges and lists', async () => {
  expect(filledBy(vacancies, 'min_salary_amount')).toBe('lower(v."salaryRange")');
  expect(filledBy(vacancies, 'max_salary_amount')).toBe('upper(v."salaryRange") - 1');
  expect(filledBy(vacancies, 'max_salary_currency')).toBe('v."salaryCurrency"');
  const rows = await database.query<{ qualification: string; skills: string[] }>(vacancies);
  expect(rows).toHaveLength(90);
  expect(rows[0]).toMatchObject({ qualification: 'one\ntwo', skills: ['c_sharp', 'node_js'] });
});

it('says of integer codes that only the application knows them, and lists every value without an id', () => {
  expect(draft.said('careers.JobPosting.employmentType: numbers without names')).toHaveLength(1);
  expect(draft.file('reference/job-types.csv').split('\n')).toHaveLength(6);
  expect(draft.file('reference/job-types.csv')).toMatch(/^1,,,23,$/m);
});

it('says that a last day depends on the zone, which column is encrypted, and who maintains a time', () => {
  expect(draft.said('JobPosting.closesAt: the last day depends on the zone: 90 of 90')).toHaveLength(1);
  expect(draft.said('Employer: taxNumberEncrypted look encrypted')).toHaveLength(1);
  expect(draft.said('Employer.updatedAt: no trigger maintains it')).toHaveLength(1);
  expect(draft.said('JobPosting.updatedAt')).toHaveLength(0);
});

it('drafts the same for a role that may read no column of people, without their columns', async () => {
  const narrow = await draftFrom(asReader());
  expect(narrow.said('the server does not take the query')).toEqual([]);
  expect(narrow.file('queries/vacancies.sql')).toBe(vacancies);
  expect(narrow.said('The role may not read careers.Employer.phoneNumber')).toHaveLength(1);
  const companies = narrow.file('queries/companies.sql');
  expect(companies).not.toMatch(/phoneNumber|contactEmail/);
  expect(filledBy(companies, 'about')).toBe('c."aboutHtml"');
});

it('says what hides rows from the role, with the SQL that helps', async () => {
  await database.query(`alter table careers."Employer" enable row level security;
    create policy only_active on careers."Employer" using ("isActive")`);
  const [line] = (await draftFrom(asReader())).said('row-level security');
  expect(line).toContain(`hides rows from ${role} (only_active: "isActive")`);
  expect(line).toContain(`ALTER ROLE ${role} BYPASSRLS`);
});
