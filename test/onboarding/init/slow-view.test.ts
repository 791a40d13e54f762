import { expect, onTestFinished, it } from 'vitest';
import { createTestDatabase } from '../../postgres/test-database.js';
import { draftFrom } from './draft-world.js';

it('a view that takes too long is named without its rows, and everything else is drafted', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.query(`
    create table employer (id int primary key, name text not null, city text);
    insert into employer select g, 'PT ' || g, 'Kota Depok' from generate_series(1, 20) g;
    create table job (id int primary key, employer_id int not null references employer, title text not null);
    insert into job select g, 1 + g % 20, 'Kasir ' || g from generate_series(1, 40) g;
    create view company_profile as select e.*, pg_sleep(60)::text as logo from employer e`);
  const draft = await draftFrom(database.url, 1_000);
  expect(draft.tables).toMatchObject({ companies: 'employer', vacancies: 'job' });
  expect(draft.said('other tables')).toEqual([
    '  - other tables: company_profile (not counted: it took too long, or failed)',
  ]);
  expect(draft.file('queries/vacancies.sql')).toContain('v.title');
});
