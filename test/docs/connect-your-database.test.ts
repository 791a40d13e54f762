import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import type { EntityName } from '../../src/domain/entity-name.js';
import { entity } from '../../src/entities/index.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';

const TEXT = readFileSync(join(ROOT, 'docs', 'connect-your-database.md'), 'utf8');
const SQL = [...TEXT.matchAll(/^ *```sql\n([\s\S]*?)^ *```$/gm)].map(([, sql = '']) => sql);

/** The tables that the page speaks of, with the columns that its statements use. */
const TABLES = `
  create schema hr;
  create table hr.employer (employer_no integer primary key, legal_form text, legal_name text, city_code text,
    street text, zip text, phone text, mail text, sector_code text, website text, deleted_at timestamptz,
    updated_at timestamptz);
  create table hr.job_ad (ad_id bigint primary key, employer_no integer, headline text, body_html text,
    requirements text, positions integer, contract_kind char(2), function_code text, education text, sex text,
    pay_from numeric, pay_to numeric, pay_secret boolean not null default false, closes_at timestamp, state smallint,
    deleted_at timestamptz, updated_at timestamptz);
  create table hr.job_ad_skill (ad_id bigint, skill text);
  create table hr.application (id uuid primary key, stage text, stage_at timestamptz, pay numeric);
  insert into hr.employer (employer_no, legal_form, legal_name, website) values (1, 'PT', 'Contoh', 'contoh.example');
  insert into hr.job_ad (ad_id, employer_no, headline, pay_from, pay_secret, closes_at, state)
    values (7, 1, 'Cook', 1, true, now() at time zone 'utc' + interval '1 day', 1),
           (8, 1, 'Late', 1, true, now() at time zone 'utc' - interval '1 day', 1);
  insert into hr.job_ad_skill values (7, 'salt'), (7, 'pepper')`;

describe('docs/connect-your-database.md', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(TABLES);
  });
  afterAll(() => database.drop());

  const queryOf = (start: string) => SQL.find((sql) => sql.includes(start)) ?? '';

  it.each<[EntityName, string]>([
    ['companies', 'e.employer_no '],
    ['vacancies', 'a.ad_id '],
    ['application-statuses', 'id as key'],
  ])('its query of %s returns columns of the contract', async (name, start) => {
    const [row] = await database.query(
      `select q.* from (select 1) one left join (${queryOf(start)}) q on true`,
    );
    const contract = entity(name).columns;
    const returned = Object.keys(row ?? {});
    expect(returned.length).toBeGreaterThan(3);
    expect(returned.filter((column) => !contract.some((one) => one.name === column))).toEqual([]);
    for (const { name: column, required } of contract) if (required) expect(returned).toContain(column);
  });

  it('keeps pay and websites back, orders skills, and leaves the past out', async () => {
    expect(await database.query(queryOf('e.employer_no '))).toMatchObject([
      { name: 'PT Contoh', website: null },
    ]);
    expect(await database.query(queryOf('a.ad_id '))).toMatchObject([
      { key: '7', min_salary_amount: null, skills: ['pepper', 'salt'] },
    ]);
  });

  it('its row version moves when a child row is deleted', async () => {
    const version = queryOf('concat_ws(');
    const read = () =>
      database.query(
        `select ${version} from hr.job_ad a join hr.employer e using (employer_no) where a.ad_id = 7`,
      );
    const before = await read();
    await database.query("delete from hr.job_ad_skill where skill = 'salt'");
    expect(before).toHaveLength(1);
    expect(await read()).not.toEqual(before);
  });

  it('its other statements run', async () => {
    const others = SQL.filter((sql) => !/as key|concat_ws/.test(sql)).join('');
    for (const statement of others.split(';').filter((part) => /select/i.test(part))) {
      await expect(database.query(statement)).resolves.toBeInstanceOf(Array);
    }
    expect(others).toContain('distinct contract_kind');
  });
});
