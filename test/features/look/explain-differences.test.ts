import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, type World } from '../../core/world.js';

/** A query with a row version of its own, which nothing maintains. */
async function withOwnVersions(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 6);
  await addVacancies(world, 2);
  if (world.blocks.companies)
    world.blocks.companies.sql = `select id as key, coalesce(version, '1') as row_version, name, city as region_id, about from company`;
  return world;
}

test('before the first run, a record and its parent are said to be in their queries', async () => {
  const world = await withOwnVersions();
  const company = await world.explain('companies', 'c01');
  expect(company).toMatchObject({ status: 'pending' });
  expect(company.reason).toBe(
    'No run has read companies yet, so the ledger does not have this record. The next run reads it.',
  );
  const vacancy = await world.explain('vacancies', 'v01');
  expect(vacancy).toMatchObject({ status: 'waiting', waitsFor: { entity: 'companies', key: 'c01' } });
  expect(vacancy.reason).toContain(
    'It waits for its parent: companies "c01" is in its query, but no run has read companies yet.',
  );
  await world.sql(`update company set name = null where id = 'c01'`);
  expect((await world.explain('vacancies', 'v01')).reason).toContain('its row has errors: name is required');
  await world.sql(`delete from company where id = 'c01'`);
  expect((await world.explain('vacancies', 'v01')).reason).toContain(
    'no such record in the query of companies',
  );
});

test('while companies are held, one that the hold keeps out of the ledger is not called missing', async () => {
  const world = await withOwnVersions();
  await world.run();
  await world.sql(`delete from company where id > 'c03'`);
  await world.sql(`insert into company (id, name) values ('c90', 'New')`);
  await world.sql(`insert into vacancy (id, company_id, title) values ('v90', 'c90', 'New')`);
  expect(await world.run()).toMatchObject({ outcome: 'held' });
  const { reason } = await world.explain('vacancies', 'v90');
  expect(reason).toMatch(
    /companies "c90" is in its query, but companies are held since 20.*: 3 of 6 records vanished/,
  );
  const company = await world.explain('companies', 'c90');
  expect(company.status).toBe('pending');
  expect(company.reason).toMatch(
    /^The query has this record, the ledger does not have it yet\. The hold keeps that from being applied\. The entity is held \(since .*\): 3 of 6/,
  );
  expect(company.reason).not.toContain('will be sent');
  await world.sql(`update company set name = 'Other', version = '2' where id = 'c01'`);
  const changed = await world.explain('companies', 'c01');
  expect(changed).toMatchObject({
    status: 'synced',
    differs: [{ field: 'name', from: 'Company 1', to: 'Other' }],
  });
  expect(changed.reason).toContain(
    'The row has changed in name: the ledger has another payload. The hold keeps',
  );
});

test('a row that changed under its old row version says why no sweep reads it, and until when', async () => {
  const world = await withOwnVersions();
  await world.run();
  await world.sql(`update company set name = 'Other', about = 'More' where id = 'c02'`);
  await world.run();
  const { status, reason, differs } = await world.explain('companies', 'c02');
  expect({ status, differs }).toEqual({
    status: 'synced',
    differs: [
      { field: 'about', from: null, to: 'More' },
      { field: 'name', from: 'Company 2', to: 'Other' },
    ],
  });
  const { lastFullSweepAt } = await world.state.entityStates.read('companies');
  const until = new Date((lastFullSweepAt?.getTime() ?? 0) + world.settings.fullEveryMs).toISOString();
  expect(reason).toContain(
    `The query’s row_version did not change, so the sweeps did not read the row. It is read in full at ${until} (sweep.fullEvery), or at once by: placement-sync resync --entity companies --key c02`,
  );
  await world.resync(['c02'], ['companies']);
  const after = await world.explain('companies', 'c02');
  expect(after).not.toHaveProperty('differs');
  expect(after.reason).toMatch(
    /^The platform accepted what is desired at .*Z\. It was not looked at since\.$/,
  );
});

test('a row that changed since the last sweep says in which fields, also under another parent', async () => {
  const world = await withOwnVersions();
  await world.run();
  await world.sql(`update vacancy set company_id = 'c02', title = 'Other' where id = 'v01'`);
  const { reason, differs } = await world.explain('vacancies', 'v01');
  expect(differs).toEqual([
    {
      field: 'employer.id',
      from: await world.idOf('companies', 'c01'),
      to: await world.idOf('companies', 'c02'),
    },
    { field: 'title', from: 'Vacancy 1', to: 'Other' },
  ]);
  expect(reason).toMatch(
    /The row has changed since the last sweep \(.*\) in employer\.id, title; the next sweep will read it\.$/,
  );
  await world.sql(`update vacancy set title = null where id = 'v01'`);
  expect((await world.explain('vacancies', 'v01')).reason).toContain(
    'The row has errors since the last sweep',
  );
  await world.sql(`delete from vacancy where id = 'v02'`);
  await world.run();
  await world.sql(`insert into vacancy (id, company_id, title) values ('v02', 'c01', 'Vacancy 2')`);
  expect((await world.explain('vacancies', 'v02')).reason).toContain(
    'The query has this record again since the last sweep',
  );
});

test('a parent with errors in its row is named with the first of them', async () => {
  const world = await withOwnVersions();
  await world.sql(`update company set name = null where id = 'c01'`);
  await world.run();
  expect((await world.explain('vacancies', 'v01')).reason).toContain(
    'companies "c01" is invalid (name is required)',
  );
});
