import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table firm (id int primary key, legal_name text not null, logo_path text, homepage text);
    create table vacancy (id int primary key, firm_id int not null references firm, title text not null, salary text, closing text,
      apply_link text, city text, occupation text, gender text);
    insert into firm select g, 'PT ' || g, '/files/' || g || '.png', case g % 2 when 0 then 'https://a' || g || '.example' else 'www.b' || g || '.example' end
      from generate_series(1, 20) g;
    insert into vacancy select g, 1 + g % 20, 'Kasir ' || g, 'Rp 5 - 6 juta', '31/12/2030', 'jobs/' || g, null, null, 'male'
      from generate_series(1, 40) g`);
  draft = await draftFrom(database.url);
});
afterAll(() => database.drop());

it('has null for a required column that nothing fills, with the way out, so that all the rest can be checked', async () => {
  const query = draft.file('queries/companies.sql');
  expect(filledBy(query, 'region_id')).toBe('cast(null as text)');
  expect(query.replaceAll(/\s+--\s+/g, ' ')).toContain(
    'decide: nothing was found for region_id; find it in another table, or set required: [] of companies in placement-sync.yaml',
  );
  expect(draft.said('not found: region_id')).toHaveLength(1);
  const rows = await database.query<{ region_id: unknown }>(`select * from (${query}) q`);
  expect(new Set(rows.map(({ region_id }) => region_id))).toEqual(new Set([null]));
});

it.each([
  ['companies', 'logo_uri', `-- 'https://…' || c.logo_path`],
  ['vacancies', 'client_url', `-- 'https://…' || v.apply_link`],
  ['vacancies', 'min_salary_amount', `-- substring(v.salary from '[0-9]+')`],
  ['vacancies', 'expire_at', `-- to_date(v.closing, 'DD/MM/YYYY')`],
  ['vacancies', 'region_id', '-- v.city'],
  ['vacancies', 'job_function', '-- v.occupation'],
])('of %s only offers %s, which would be null in all rows', async (entity, target, offered) => {
  const query = draft.file(`queries/${entity}.sql`);
  expect(filledBy(query, target)).toBe(offered);
  const [row] = await database.query<Record<string, unknown>>(`select * from (${query}) q limit 1`);
  expect(Object.keys(row ?? {})).not.toContain(target);
  await database.query(query.replace(`${offered} as ${target}`, `${offered.slice(3)} as ${target}`));
});

it('has a lookup for each column of codes that it drafts', () => {
  const config = draft.file('placement-sync.yaml');
  expect(filledBy(draft.file('queries/vacancies.sql'), 'gender')).toBe('v.gender');
  expect(config).toContain('gender: reference/gender.csv');
  expect(config).not.toContain('region_id: reference');
});

it('puts https:// before addresses that begin with a host', async () => {
  const rows = await database.query<{ website: string }>(
    `select website from (${draft.file('queries/companies.sql')}) q order by key limit 2`,
  );
  expect(rows).toEqual([{ website: 'https://www.b1.example' }, { website: 'https://a2.example' }]);
});
