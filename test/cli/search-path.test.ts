import { expect, onTestFinished, test } from 'vitest';
import { plantTraps, sprungTraps } from '../postgres/plant-traps.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { createCliWorld } from './cli-world.js';

const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';

test('no command calls anything that somebody put into the schema public of source or state', async () => {
  const world = await createCliWorld({ migrated: false });
  const source = await createTestDatabase();
  onTestFinished(() => source.drop());
  await source.query(`create table company (id text, name text, city text);
    insert into company select 'c' || n, 'Company ' || n, '${CITY}' from generate_series(1, 3) n;
    create table vacancy (id text, company_id text, title text, expire_at timestamp);
    insert into vacancy select 'v' || n, 'c1', 'Vacancy ' || n, '2030-01-01' from generate_series(1, 3) n;
    create table hiring (vacancy_id text, email text, state text);
    insert into hiring values ('v1', 'a@b.id', 'accepted')`);
  const { strictUrl } = await plantTraps(source);
  world.configure(
    '  vacancies:',
    '  application-statuses: { query: hiring.sql, requireInbox: false }\n  vacancies:',
  );
  world.write('companies.sql', 'select id as key, name, city as region_id from company');
  world.write('vacancies.sql', 'select id as key, company_id as company_key, title, expire_at from vacancy');
  world.write('hiring.sql', 'select vacancy_id as vacancy_key, email, state as status from hiring');
  world.env.SOURCE_DATABASE_URL = strictUrl;

  expect((await world.cli('migrate')).exitCode).toBe(0);
  expect((await world.cli('plan', '--diff')).exitCode).toBe(0);
  const report = await world.run();
  expect(report.entities).toMatchObject({ companies: { accepted: 3 }, vacancies: { accepted: 3 } });
  expect((await world.cli('explain', 'vacancies', 'v1')).stdout).toContain('Vacancy 1');
  expect((await world.cli('verify', '--repair')).stdout).toContain('companies');
  expect((await world.cli('status')).stdout).toContain('companies');
  expect(await sprungTraps(source)).toEqual([]);
});
