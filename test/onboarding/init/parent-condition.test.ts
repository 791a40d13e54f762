import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDecisions } from '../../../src/onboarding/doctor/sql/conditions.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom } from './draft-world.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const offered = (query: string) => query.split('\n').filter((line) => line.includes('and exists ('));

/** Twenty companies, the last five not verified, one of the others deleted; two vacancies of each. */
async function withTables(company: string, vacancy: string, values: string): Promise<void> {
  await database.query(`drop table if exists vacancy, company;
    create table company (id int primary key, name text not null, ${company});
    create table vacancy (id int primary key, title text not null, status text not null, ${vacancy});
    insert into company select g, 'PT ' || g, ${values} from generate_series(1, 20) g;
    insert into vacancy select g, 'Kasir ' || g, 'live', (g + 1) / 2 from generate_series(1, 40) g`);
}

it('a child offers the conditions of its parent, which the server takes and which leave out what waits for ever', async () => {
  await withTables(
    'is_verified boolean, deleted_at timestamptz',
    'company_id int not null references company',
    'g <= 15, case g when 3 then now() end',
  );
  const draft = await draftFrom(database.url);
  const query = draft.file('queries/vacancies.sql');
  const [line = ''] = offered(query);
  expect(offered(query)).toEqual([
    '  -- and exists (select 1 from public.company c where c.id = v.company_id and c.is_verified and c.deleted_at is null)',
  ]);
  const question =
    'will queries/companies.sql leave companies out? Their vacancies would wait for ever, so leave these out by the same conditions';
  expect(draft.report).toContain(`  - ${question}`);
  expect(openDecisions(query).map((open) => open.question)).toContain(question);
  // Uncommented, it is answered, and the rest are the vacancies of the fourteen companies that are left.
  const taken = query.replace(line, line.replace('-- ', ''));
  expect(openDecisions(taken).map((open) => open.question)).not.toContain(question);
  expect(await database.query(query)).toHaveLength(40);
  expect(await database.query(taken)).toHaveLength(28);
  expect(offered(draft.file('queries/companies.sql'))).toEqual([]);
});

it('offers it also where a table of pairs names the parent', async () => {
  await withTables('is_verified boolean', 'number int', 'g <= 15');
  await database.query(`create table vacancy_company (vacancy_id int references vacancy, company_id int references company);
    insert into vacancy_company select id, number from vacancy`);
  const query = (await draftFrom(database.url)).file('queries/vacancies.sql');
  const [line = ''] = offered(query);
  expect(line).toMatch(/where c\.id = \w+\.key and c\.is_verified\)$/);
  expect(await database.query(query.replace(line, line.replace('-- ', '')))).toHaveLength(30);
  await database.query('drop table vacancy_company');
});

it('offers nothing where the parents have no condition, or where nothing names the parent', async () => {
  await withTables('city text', 'company_id int not null references company', `'Kota Depok'`);
  expect(offered((await draftFrom(database.url)).file('queries/vacancies.sql'))).toEqual([]);
  await withTables('is_verified boolean', 'company_id text not null', 'true');
  const draft = await draftFrom(database.url);
  expect(draft.file('queries/vacancies.sql')).toContain('cast(null as text) as company_key');
  expect(offered(draft.file('queries/vacancies.sql'))).toEqual([]);
});
