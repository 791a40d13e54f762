import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, unbalanced, type World } from './world.js';

/** Twenty companies at the platform, and a copy of their rows. */
async function settledWorld(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 20);
  await world.sql('create table backup as table company');
  await world.run();
  world.requests();
  return world;
}

test('an empty source is held, held again, and goes on when the rows are back', async () => {
  const world = await settledWorld();
  await addVacancies(world, 1);
  await world.sql('delete from company');

  for (const round of [1, 2]) {
    const report = await world.run();
    expect(report, `round ${round}`).toMatchObject({ exitCode: 4, outcome: 'held' });
    expect(report.entities.companies).toMatchObject({ read: 0, vanished: 20, held: true, error: null });
    expect(unbalanced(report)).toEqual([]);
  }
  // A hold blocks nothing of other entities.
  expect(Object.keys(world.held('vacancies'))).toHaveLength(1);
  expect((await world.status()).entities.companies).toMatchObject({ held: true, vanished: 0, synced: 20 });

  world.requests();
  await world.sql('insert into company table backup');
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { unchanged: 20, held: false } },
  });
  expect((await world.status()).entities.companies).toMatchObject({ held: false });
  expect(world.requests()).toEqual([]);
});

test('a held entity still sends what was published before, and nothing of the held sweep', async () => {
  const world = await settledWorld();
  await world.sql(`update company set about = 'before' where id = 'c01'`);
  world.intercept = () => ({ status: 401, body: { message: 'no' } });
  await world.run();
  world.intercept = null;
  await world.sql(`update company set about = 'held' where id = 'c02'`);
  await world.sql(`delete from company where id > 'c10'`);

  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { companies: { held: true, changed: 1, accepted: 1 } },
  });
  const held = world.held('companies');
  expect(held[await world.idOf('companies', 'c01')]).toMatchObject({ about: 'before' });
  expect(held[await world.idOf('companies', 'c02')]).not.toHaveProperty('about');
});

test('approval allows counts up to those that were held, and is used up by them', async () => {
  const world = await settledWorld();
  await world.sql(`delete from company where id > 'c10'`);
  expect(await world.run()).toMatchObject({ exitCode: 4 });
  await world.state.approve('companies');

  // More than was approved is held again; the approval waits for a sweep that it covers.
  await world.sql(`delete from company where id = 'c10'`);
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { companies: { vanished: 11, held: true } },
  });
  await world.sql(`insert into company select * from backup where id in ('c10', 'c11')`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { vanished: 9, held: false } },
  });
  expect((await world.status()).entities.companies).toMatchObject({ vanished: 9, synced: 11 });

  await world.sql(`delete from company where id > 'c05'`);
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { companies: { vanished: 6, held: true } },
  });
});

test('a slip within the limits that comes back is changed, and sent only where it differs', async () => {
  const world = await settledWorld();
  await world.sql(`delete from company where id in ('c01', 'c02')`);
  const slip = await world.run();
  expect(slip).toMatchObject({ exitCode: 0, entities: { companies: { read: 18, vanished: 2, sent: 0 } } });
  expect(await world.explain('companies', 'c01')).toMatchObject({ status: 'vanished', row: null });
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { vanished: 0 } } });

  await world.sql(`insert into company select * from backup where id in ('c01', 'c02')`);
  await world.sql(`update company set about = 'another' where id = 'c02'`);
  const back = await world.run();
  expect(back.entities.companies).toMatchObject({
    read: 20,
    changed: 2,
    unchanged: 18,
    sent: 1,
    accepted: 1,
  });
  expect(unbalanced(back)).toEqual([]);
  expect(world.sentIds()).toEqual([await world.idOf('companies', 'c02')]);
  expect(await world.explain('companies', 'c01')).toMatchObject({ status: 'synced' });
});

test('a vanished record that was never tried leaves the ledger; one that was tried stays', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  world.settings.retry.breakerAfter = 1;
  world.settings.jobs.concurrency = 1;
  world.intercept = () => ({ drop: 'after' });
  expect(await world.run()).toMatchObject({ exitCode: 5 });
  world.intercept = () => ({ status: 401, body: { message: 'no' } });
  world.settings.guards.maxVanishedPercent = 100;
  await world.sql(`insert into company (id, name) values ('z', 'Stays')`);
  await world.sql(`delete from company where id like 'c%'`);

  expect(await world.run()).toMatchObject({ entities: { companies: { vanished: 2, read: 1 } } });
  expect(
    await world.sql(
      `select key, vanished_at is not null as gone from placement_sync.sync_state order by key`,
    ),
  ).toEqual([
    { key: 'c01', gone: true },
    { key: 'z', gone: false },
  ]);
});

test('with onVanished ignore a source may shrink and be empty, and what is pending is still sent', async () => {
  const world = await createWorld();
  const { companies } = world.blocks;
  if (companies) companies.onVanished = 'ignore';
  await addCompanies(world, 6);
  await world.run();
  await world.sql(`update company set about = 'edited' where id = 'c01'`);
  world.intercept = () => ({ status: 401, body: { message: 'no' } });
  await world.run();
  world.intercept = null;
  await world.sql('delete from company');

  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    entities: { companies: { read: 0, vanished: 0, accepted: 1, held: false } },
  });
  expect((await world.status()).entities.companies).toMatchObject({ vanished: 0, synced: 6 });
});
