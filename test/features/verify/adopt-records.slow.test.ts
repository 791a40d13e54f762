import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, type World } from '../../core/world.js';

/** A platform that holds everything, and a ledger that knows nothing of it. */
async function forgetfulWorld(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 4);
  await addVacancies(world, 3);
  await world.run();
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  world.requests();
  return world;
}

const sends = (world: World) => world.requests().filter((request) => !request.startsWith('GET '));

test('what the platform holds as it is desired is acknowledged, and never sent', async () => {
  const world = await forgetfulWorld();
  const { report, exitCode } = await world.adoptRecords();
  expect(exitCode).toBe(0);
  expect(report).toEqual({
    entities: {
      companies: { checked: 4, adopted: 4, different: 0, missing: 0 },
      vacancies: { checked: 3, adopted: 3, different: 0, missing: 0 },
    },
  });
  expect(world.requests()).toHaveLength(7);
  expect((await world.status()).entities).toMatchObject({
    companies: { synced: 4 },
    vacancies: { synced: 3 },
  });
  const references = world.sandbox.records('jobs', 'companies').map(({ reference }) => reference);
  const stored = await world.state.recordViews.find('companies', 'c02');
  expect(references).toContain(stored?.reference);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { unchanged: 4, sent: 0 } },
  });
  expect(world.requests()).toEqual([]);
});

test('what is different or missing stays pending and is sent by the next run, with its links', async () => {
  const world = await forgetfulWorld();
  const before = world.sandbox.records('jobs', 'companies').length;
  await world.sql(`update company set name = 'Renamed' where id = 'c02'`);
  await world.sql(`insert into company (id, name) values ('c05', 'New')`);
  const { report } = await world.adoptRecords();
  expect(report.entities).toEqual({
    companies: { checked: 5, adopted: 3, different: 1, missing: 1 },
    vacancies: { checked: 3, adopted: 3, different: 0, missing: 0 },
  });
  expect((await world.state.recordViews.find('companies', 'c02'))?.reference).toMatch(/^[0-9a-f-]{36}$/);
  expect(sends(world)).toEqual([]);
  expect(world.sandbox.records('jobs', 'companies')).toHaveLength(before);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 2, accepted: 2 }, vacancies: { sent: 0 } },
  });
});

test('a vacancy that the platform holds under another company is different', async () => {
  const world = await forgetfulWorld();
  await world.sql(`update vacancy set company_id = 'c03' where id = 'v02'`);
  const { report } = await world.adoptRecords();
  expect(report.entities.vacancies).toEqual({ checked: 3, adopted: 2, different: 1, missing: 0 });
});

test('stopped in between, the next one goes on with what is left', async () => {
  const world = await forgetfulWorld();
  world.settings.jobs.concurrency = 1;
  const controller = new AbortController();
  let asked = 0;
  world.intercept = () => {
    asked += 1;
    if (asked === 3) controller.abort();
  };
  const first = await world.adoptRecords({ signal: controller.signal });
  expect(first.exitCode).toBe(1);
  expect(first.report.entities.companies).toMatchObject({ checked: 3, adopted: 3 });
  world.requests();
  const second = await world.adoptRecords();
  expect(second).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { checked: 1, adopted: 1 }, vacancies: { adopted: 3 } } },
  });
  expect(world.requests()).toHaveLength(4);
});

test('while a run holds a lease, nothing is read, and the exit code is 6', async () => {
  const world = await forgetfulWorld();
  await world.state.leases.acquire('push', 'the worker', 60_000);
  expect(await world.adoptRecords()).toMatchObject({
    exitCode: 6,
    report: { entities: { companies: { checked: 0 }, vacancies: { checked: 0 } } },
  });
  expect(world.requests()).toEqual([]);
});

test('refused authentication ends it with exit code 5, and a failing query with 1, though what the ledger has is adopted', async () => {
  const world = await forgetfulWorld();
  world.intercept = () => ({ status: 403, body: { message: 'no' } });
  expect(await world.adoptRecords()).toMatchObject({ exitCode: 5 });
  world.intercept = null;
  if (world.blocks.vacancies) world.blocks.vacancies.sql = 'select nothing';
  expect(await world.adoptRecords()).toMatchObject({
    exitCode: 1,
    report: { entities: { companies: { adopted: 4 }, vacancies: { adopted: 3 } } },
  });
});

test('what waits for a parent without reference is not asked for, and counted', async () => {
  const world = await forgetfulWorld();
  await world.sql(`update company set name = null where id = 'c01'`);
  await world.sql(
    `insert into vacancy (id, company_id, title) values ('v90', 'c02', 'Held under another'), ('v91', 'c91', 'No company')`,
  );
  const { report, exitCode } = await world.adoptRecords();
  expect(exitCode).toBe(3);
  expect(report.entities).toEqual({
    companies: { checked: 3, adopted: 3, different: 0, missing: 0, invalid: 1 },
    vacancies: { checked: 1, adopted: 0, different: 0, missing: 1, waiting: 4 },
  });
  expect(world.requests()).toHaveLength(4);
  expect(world.events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: 'vacancies: 4 records wait for companies without a reference and were not read.',
    }),
  );
});

test('beside another difference, such a field does not hide it', async () => {
  const world = await forgetfulWorld();
  await world.sql(`update company set about = 'Text'`);
  await world.sql(`update company set name = 'Other' where id = 'c03'`);
  const { report } = await world.adoptRecords();
  expect(report.entities.companies).toEqual({ checked: 4, adopted: 3, different: 1, missing: 0 });
});

test('when nearly all differ, it asks whether another database has the same namespace', async () => {
  const world = await createWorld();
  await addCompanies(world, 10);
  await world.run();
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  await world.sql(`update company set name = 'Of another database ' || id where id > 'c01'`);
  const { report } = await world.adoptRecords();
  expect(report.entities.companies).toMatchObject({ adopted: 1, different: 9 });
  const asked = 'Does another database use the same ids.namespace?';
  const warning = expect.objectContaining({ message: expect.stringContaining(asked) as string }) as unknown;
  expect(world.events).toContainEqual(warning);
  await world.sql(`update company set name = 'Company ' || right(id, 1) where id < 'c05'`);
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  await world.adoptRecords();
  expect(world.events).not.toContainEqual(warning);
});

test('records that were acknowledged before are not asked for again', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await world.run();
  world.requests();
  expect((await world.adoptRecords()).report.entities.companies).toMatchObject({ checked: 0 });
  expect(world.requests()).toEqual([]);
});

test('an empty platform is reported as one whose path may be wrong', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  expect(await world.adoptRecords()).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { checked: 2, missing: 2 } } },
  });
  expect(world.events).toContainEqual(
    expect.objectContaining({ type: 'warning', message: expect.stringContaining('404') as string }),
  );
});
