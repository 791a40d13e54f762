import { expect, test } from 'vitest';
import type { PlanFindings } from '../../../src/features/plan/plan-sync.js';
import type { RunReport } from '../../../src/core/run/end.js';
import { groupText } from '../../../src/features/look/group-text.js';
import { addCompanies, addVacancies, block, CITY, createWorld, type World } from '../../core/world.js';

const COMPANIES = 'select id as key, name, city as region_id from company';

/** What a plan says of each entity, in the terms of the run that follows. */
function foretold({ entities }: PlanFindings) {
  return Object.fromEntries(
    Object.entries(entities).map(([name, { pending, waiting, invalid, held, vanished }]) => [
      name,
      { sent: pending, waiting, invalid, held, vanished },
    ]),
  );
}

function done({ entities }: RunReport) {
  return Object.fromEntries(
    Object.entries(entities).map(([name, { sent, waiting, invalid, held, vanished }]) => [
      name,
      { sent, waiting, invalid, held, vanished },
    ]),
  );
}

/** Plans, runs, and compares; gives the plan. */
async function planAndRun(world: World): Promise<PlanFindings> {
  const plan = await world.plan();
  const run = await world.run();
  expect(foretold(plan)).toEqual(done(run));
  // What was foretold is done: only what waits or is invalid is left.
  expect((await world.plan()).actions).toMatchObject({ create: 0, update: 0, close: 0, before: 0 });
  return plan;
}

/** Cities as codes: Surabaya has no id. */
async function createCityWorld(): Promise<World> {
  const world = await createWorld();
  world.settings.guards.maxInvalidPercent = 100;
  world.blocks.companies = { ...block(COMPANIES), lookups: { region_id: `code,id\nBogor,${CITY}\n` } };
  await addCompanies(world, 6);
  await world.sql(`update company set city = case when id > 'c04' then 'Surabaya' else 'Bogor' end`);
  await addVacancies(world, 3, 'c01');
  await world.sql(`insert into vacancy (id, company_id, title) values
    ('w1', 'c05', 'W'), ('w2', 'c05', 'W'), ('w3', 'c06', 'W'), ('x1', 'nobody', 'X')`);
  return world;
}

const texts = ({ groups }: PlanFindings) => groups.map(groupText);

test('what goes, what waits and what follows is foretold on an empty ledger, after a run, and after the correction', async () => {
  const world = await createCityWorld();
  const first = await planAndRun(world);
  const said = [
    'region_id: code "Surabaya" has no id: 2 companies are invalid, 3 vacancies wait for them; add it to reference/region_id.csv (c05, c06)',
    'company_key: no such record in the query of companies: 1 vacancy waits; return these companies from their query, or correct company_key (vacancies x1)',
  ];
  expect(texts(first)).toEqual(said);
  expect(first.actions).toMatchObject({ create: 7, waiting: 4, invalid: 2 });

  // The same stands after the run, although no row differs.
  const standing = await planAndRun(world);
  expect(texts(standing)).toEqual(said);
  expect(standing.changes.map(({ key, action }) => [key, action])).toEqual([
    ['c05', 'invalid'],
    ['c06', 'invalid'],
  ]);
  expect(standing.actions).toMatchObject({ create: 0, before: 0, waiting: 4, invalid: 2 });

  // Once the code has an id, everything that waited goes.
  world.blocks.companies!.lookups = { region_id: `code,id\nBogor,${CITY}\nSurabaya,${CITY}\n` };
  const corrected = await planAndRun(world);
  expect(corrected.actions).toMatchObject({ create: 2, update: 0, before: 3, waiting: 1, invalid: 0 });
  expect(texts(corrected)).toEqual([said[1]]);
});

test('what is newly invalid or changed stands before what was invalid before, so that no limit hides it', async () => {
  const world = await createWorld();
  world.settings.guards.maxInvalidPercent = 100;
  await addCompanies(world, 6);
  await world.sql(`update company set name = null where id <= 'c03'`);
  await world.run();
  await world.sql(`update company set name = null where id = 'c05'`);
  await world.sql(`update company set name = 'Renamed' where id = 'c06'`);
  const { changes, unlisted } = await world.plan(3, false, true);
  expect(changes.map(({ key, action }) => [key, action])).toEqual([
    ['c05', 'invalid'],
    ['c06', 'changed'],
    ['c01', 'invalid'],
  ]);
  expect(unlisted).toBe(2);
});

test('a child of a new parent goes with it; moved to an absent one it waits, and back it is left alone', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await addVacancies(world, 4);
  await planAndRun(world);
  await world.sql(`insert into company (id, name) values ('new', 'New')`);
  await world.sql(`insert into vacancy (id, company_id, title) values ('n1', 'new', 'N')`);
  await world.sql(`update vacancy set company_id = 'nobody' where id = 'v01'`);
  await world.sql(`update vacancy set company_id = 'c02' where id = 'v02'`);
  const plan = await planAndRun(world);
  expect(plan.actions).toMatchObject({ create: 2, update: 1, waiting: 1 });
  await world.sql(`update vacancy set company_id = 'c01' where id = 'v01'`);
  expect((await planAndRun(world)).actions).toMatchObject({ update: 0, before: 0, waiting: 0 });
});

test('a rejected parent keeps its children back until it changes', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  world.intercept = ({ body }) =>
    (body as { name?: string }).name === 'Company 1' ? { status: 422, body: { message: 'no' } } : undefined;
  await addVacancies(world, 2);
  await world.run();
  world.intercept = null;
  const waits = await planAndRun(world);
  expect(waits.entities.vacancies).toMatchObject({ waiting: 2, pending: 0 });
  expect(texts(waits)).toEqual([
    expect.stringContaining('company_key: the platform rejected the record of companies: 2 vacancies wait; '),
  ]);
  await world.sql(`update company set about = 'x' where id = 'c01'`);
  expect((await planAndRun(world)).actions).toMatchObject({ create: 1, before: 2, waiting: 0 });
});

test('a hold keeps the sweep back: what was pending still goes, and new children wait for it', async () => {
  const world = await createWorld();
  await addCompanies(world, 10);
  await world.run();
  await world.sql(`delete from company where id > 'c05'`);
  await world.sql(`insert into company (id, name) values ('new', 'New')`);
  await world.sql(`insert into vacancy (id, company_id, title) values ('a', 'c01', 'A'), ('b', 'new', 'B')`);
  const plan = await world.plan();
  expect(foretold(plan)).toEqual(done(await world.run()));
  expect(plan.actions).toMatchObject({ create: 1, waiting: 1, kept: 0, held: 6 });
  expect(plan.holds.companies?.consequences).toEqual([{ does: 'mark-vanished', count: 5 }]);
});

test('closings, returns and changes back are foretold', async () => {
  const world = await createWorld();
  world.settings.guards.maxVanishedPercent = 100;
  world.blocks.vacancies!.onVanished = 'close';
  await addCompanies(world, 1);
  await addVacancies(world, 4);
  await planAndRun(world);
  await world.sql(`delete from vacancy where id in ('v03', 'v04')`);
  expect((await planAndRun(world)).actions).toMatchObject({ close: 2 });
  await world.sql(`insert into vacancy (id, company_id, title) values ('v03', 'c01', 'Vacancy 3')`);
  await world.sql(`update vacancy set title = null where id = 'v01'`);
  const plan = await planAndRun(world);
  expect(plan.actions).toMatchObject({ update: 1, invalid: 1 });
  await world.sql(`update vacancy set title = 'Vacancy 1' where id = 'v01'`);
  // It is valid again and as the platform has it.
  expect((await planAndRun(world)).actions).toMatchObject({ update: 0, invalid: 0 });
});

test('what is doubtful comes after what is not sent, and a run has it at its end', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 3);
  await world.sql(`update vacancy set quota = '1.5' where id <> 'v03'`);
  await world.sql(`update vacancy set title = null where id = 'v03'`);
  const { groups, partial } = await world.plan();
  expect(partial).toEqual([]);
  expect(groups).toMatchObject([
    { kind: 'invalid', field: 'title', count: 1 },
    {
      entity: 'vacancies',
      kind: 'doubtful',
      field: 'quota',
      count: 2,
      sampleKeys: ['v01', 'v02'],
      follows: [],
    },
  ]);
  const { aside } = await world.run();
  expect(aside.doubtful).toEqual(groups.slice(1));
  // Rows that did not change are not read again, and the plan says so.
  const second = await world.plan();
  expect(second.groups.map(({ kind }) => kind)).toEqual(['invalid']);
  expect(second.partial).toEqual(['companies', 'vacancies']);
});

test('a plan of the children alone says that their parents are left out', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 2);
  const { companies: _, ...vacancies } = world.blocks;
  for (const name of Object.keys(world.blocks)) if (!(name in vacancies)) delete world.blocks[name];
  const plan = await world.plan();
  expect(plan.entities.vacancies).toMatchObject({ pending: 0, waiting: 2 });
  expect(texts(plan)[0]).toContain('companies are left out here');
  expect(await world.run()).toMatchObject({ entities: { vacancies: { sent: 0, waiting: 2 } } });
});
