import { expect, test } from 'vitest';
import { addCompanies, addVacancies, block, CITY, createWorld, type World } from '../../core/world.js';

/** Everything in the state schema that a run would write, as text. */
async function stateOf(world: World): Promise<string> {
  const tables = ['sync_state', 'entity_state', 'sync_run', 'staged_finding', 'lease', 'environment'];
  const found = await Promise.all(
    tables.map((table) => world.sql(`select t::text as row from placement_sync.${table} t order by 1`)),
  );
  return JSON.stringify(found);
}

test('plan lists what a run would do, field by field, and writes nothing', async () => {
  const world = await createWorld();
  await addCompanies(world, 11);
  await addVacancies(world, 3);
  await world.run();
  world.requests();
  await world.sql(`update company set about = 'edited', name = 'Edited' where id = 'c01'`);
  await world.sql(`update company set industry = 'unknown' where id = 'c02'`);
  await world.sql(`delete from company where id = 'c11'`);
  await world.sql(`insert into company (id, name) values ('new', 'New')`);
  await world.sql(`update vacancy set company_id = 'c03' where id = 'v01'`);
  await world.sql(`update vacancy set company_id = 'c03', title = 'Moved' where id = 'v02'`);

  const before = await stateOf(world);
  const { entities, changes } = await world.plan();
  expect(await stateOf(world)).toBe(before);
  expect(world.requests()).toEqual([]);

  const byKey = [...changes].sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(byKey).toEqual([
    { entity: 'companies', key: 'c01', action: 'changed', fields: ['about', 'name'], issues: [] },
    {
      entity: 'companies',
      key: 'c02',
      action: 'invalid',
      fields: ['industry'],
      issues: [expect.objectContaining({ value: 'unknown' })],
    },
    { entity: 'companies', key: 'c11', action: 'vanished', fields: [], issues: [] },
    { entity: 'companies', key: 'new', action: 'new', fields: ['name', 'region'], issues: [] },
    { entity: 'vacancies', key: 'v01', action: 'changed', fields: ['employer'], issues: [] },
    { entity: 'vacancies', key: 'v02', action: 'changed', fields: ['employer', 'title'], issues: [] },
  ]);
  expect(entities).toMatchObject({
    companies: {
      read: 11,
      unchanged: 8,
      new: 1,
      changed: 1,
      vanished: 1,
      invalid: 1,
      pending: 2,
      sent: 0,
      held: false,
    },
    vacancies: { read: 3, unchanged: 1, changed: 2, pending: 2 },
  });

  // The run then does what the plan said.
  const report = await world.run();
  expect(report.entities).toMatchObject({
    companies: { new: 1, changed: 1, vanished: 1, invalid: 1, sent: 2 },
    vacancies: { changed: 2, sent: 2 },
  });
});

test('a plan before the first run works on the empty ledger, and the limit bounds only the list', async () => {
  const world = await createWorld();
  await addCompanies(world, 5);
  await addVacancies(world, 5);
  const { entities, changes } = await world.plan(7);
  expect(changes.map(({ key }) => key)).toEqual(['c01', 'c02', 'c03', 'c04', 'c05', 'v01', 'v02']);
  expect(entities).toMatchObject({ companies: { new: 5, pending: 5 }, vacancies: { new: 5, pending: 5 } });
});

test('a plan says what a guard would hold, and names a query that fails beside the others', async () => {
  const world = await createWorld();
  await addCompanies(world, 10);
  await world.run();
  await world.sql(`delete from company where id > 'c05'`);
  world.blocks.vacancies = block('select nothing');
  const { entities, holds } = await world.plan();
  expect(holds).toEqual({
    companies: {
      reason: 'max-vanished-percent: 5 of 10 records vanished (50 %); guards.maxVanishedPercent is 10.',
      consequences: [{ does: 'mark-vanished', count: 5 }],
    },
  });
  expect(entities).toMatchObject({
    companies: { vanished: 5, held: true, error: null },
    vacancies: { error: { code: 'query-failed' } },
  });
});

test('for people, invalid records of any entity stand before what a limit leaves out', async () => {
  const world = await createWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 3);
  await world.sql(`update vacancy set title = null where id = 'v03'`);
  const first = await world.plan(2, false, true);
  expect(first.changes.map(({ key }) => key)).toEqual(['v03', 'c01']);
  expect(first.unlisted).toBe(4);
  expect((await world.plan(2)).changes.map(({ key }) => key)).toEqual(['c01', 'c02']);
});

test('more than 100,000 differing rows are streamed once', { timeout: 180_000 }, async () => {
  const world = await createWorld();
  delete world.blocks.vacancies;
  world.settings.guards.maxVanishedPercent = 100;
  await world.sql('create table many (id int primary key, name text)');
  await world.sql(`insert into many select n, 'n' || n from generate_series(1, 5) n`);
  world.blocks.companies = block(`select id as key, name, '${CITY}' as region_id from many`);
  await world.run();

  await world.sql(`insert into many select n, 'n' || n from generate_series(6, 120000) n`);
  await world.sql(`update many set name = 'edited' where id = 2`);
  await world.sql('delete from many where id = 3');
  const { entities, changes } = await world.plan(10);
  expect(entities.companies).toMatchObject({
    read: 119_999,
    new: 119_995,
    changed: 1,
    unchanged: 3,
    vanished: 1,
    pending: 119_996,
  });
  expect(changes).toHaveLength(10);
  // The streaming pass reports how far it is; the pass over single keys does not.
  expect(world.events.filter(({ type }) => type === 'sweep-progress').at(-1)).toMatchObject({
    read: 119_999,
  });
});

test('--diff shows each field with its value now and then, of closings too', async () => {
  const world = await createWorld();
  world.settings.guards.maxVanishedPercent = 100;
  await addCompanies(world, 1);
  await addVacancies(world, 2);
  await world.run();
  world.blocks.vacancies!.onVanished = 'close';
  await world.run();
  await world.sql(`update company set about = 'New' where id = 'c01'`);
  await world.sql(`delete from vacancy where id = 'v02'`);
  const { changes, entities } = await world.plan(10, true);
  expect(changes).toEqual([
    expect.objectContaining({
      key: 'c01',
      fields: ['about'],
      diff: [{ field: 'about', from: null, to: 'New' }],
    }),
    expect.objectContaining({
      key: 'v02',
      action: 'vanished',
      fields: ['status'],
      diff: [{ field: 'status', from: 'open', to: 'closed' }],
    }),
  ]);
  expect(entities.vacancies).toMatchObject({ vanished: 1, pending: 1 });
});

test('--diff of a record that moves shows both parents, by key and by platform id', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await addVacancies(world, 1);
  await world.run();
  await world.sql(`insert into company (id, name) values ('new', 'New')`);
  const moved = async (to: string) => {
    await world.sql(`update vacancy set company_id = $1 where id = 'v01'`, [to]);
    return (await world.plan(10, true)).changes.find(({ key }) => key === 'v01')?.diff;
  };
  const [one, two] = [await world.idOf('companies', 'c01'), await world.idOf('companies', 'c02')];
  expect(await moved('c02')).toEqual([
    { field: 'company_key', from: 'c01', to: 'c02' },
    { field: 'employer.id', from: one, to: two },
  ]);
  // Its key is in the row, although the ledger does not have it yet.
  expect(await moved('new')).toMatchObject([{ from: 'c01', to: 'new' }, { from: one }]);
});

test('a UUID key that is only written in another case is one change, as it is in a run', async () => {
  const world = await createWorld();
  const upper = 'AAAAAAAA-0000-4000-8000-00000000000A';
  await world.sql(`insert into company (id, name) values ($1, 'One')`, [upper]);
  await world.run();
  await world.sql('update company set id = lower(id)');
  const { changes, entities } = await world.plan();
  expect(changes).toMatchObject([{ key: upper.toLowerCase(), action: 'changed' }]);
  expect(entities.companies).toMatchObject({ new: 0, changed: 1, vanished: 0, held: false });
  expect(await world.run()).toMatchObject({
    entities: { companies: { new: 0, changed: 1, vanished: 0, held: false } },
  });
});
