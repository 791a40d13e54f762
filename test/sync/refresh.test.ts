import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, type World } from './world.js';

const HOUR = 3_600_000;

/** Lets the last acknowledgement of everything (or of these keys) be longer ago. */
const age = (world: World, ms: number, keys: readonly string[] | null = null) =>
  world.sql(
    `update placement_sync.sync_state set acknowledged_at = acknowledged_at - $1 * interval '1 millisecond'
     where $2::text[] is null or key = any($2)`,
    [ms, keys],
  );

test('records older than refreshAfter are sent again, once, and younger ones are not', async () => {
  const world = await createWorld();
  world.settings.refreshAfterMs = 10 * HOUR;
  await addCompanies(world, 4);
  await world.run();
  expect(await world.run()).toMatchObject({ entities: { companies: { sent: 0 } } });
  await age(world, 11 * HOUR, ['c01', 'c02']);
  await age(world, 4 * HOUR, ['c03']);
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { companies: { unchanged: 4, sent: 2, accepted: 2 } },
  });
  expect(await world.run()).toMatchObject({ entities: { companies: { sent: 0 } } });
});

test('what was loaded together is not sent again together', async () => {
  const world = await createWorld();
  world.settings.refreshAfterMs = 10 * HOUR;
  await addCompanies(world, 60);
  await world.run();
  await age(world, 7.5 * HOUR);
  const { sent } = (await world.run()).entities.companies!;
  expect(sent).toBeGreaterThan(15);
  expect(sent).toBeLessThan(45);
  await age(world, 2.5 * HOUR);
  expect((await world.run()).entities.companies!.sent).toBeGreaterThan(60 - sent - 1);
});

test('never what vanished, was closed, is invalid or past its last day', async () => {
  const world = await createWorld();
  world.settings.refreshAfterMs = HOUR;
  world.settings.guards.maxVanishedPercent = 100;
  world.blocks.vacancies!.onVanished = 'close';
  world.blocks.vacancies!.sql = `select id as key, company_id as company_key, title, expire_at,
    case id when 'v04' then 'closed' end as status, case id when 'v05' then 'many' end as quota from vacancy`;
  await addCompanies(world, 1);
  await addVacancies(world, 6);
  await world.sql(`update vacancy set expire_at = '2020-01-31' where id = 'v02'`);
  await world.run();
  await world.sql(`delete from vacancy where id = 'v03'`);
  await world.run();
  await age(world, 2 * HOUR);
  world.requests();
  expect(await world.run()).toMatchObject({ entities: { companies: { sent: 1 }, vacancies: { sent: 2 } } });
  const ids = await Promise.all(['v01', 'v06'].map((key) => world.idOf('vacancies', key)));
  expect(world.sentIds().slice(1).sort()).toEqual(ids.sort());
});

test('nothing of a held entity, until the hold ends', async () => {
  const world = await createWorld();
  world.settings.refreshAfterMs = HOUR;
  await addCompanies(world, 10);
  await world.run();
  await age(world, 2 * HOUR);
  await world.sql(`delete from company where id > 'c05'`);
  world.requests();
  expect(await world.run()).toMatchObject({ exitCode: 4, entities: { companies: { held: true, sent: 0 } } });
  expect(world.requests()).toEqual([]);
  await world.state.entityStates.approve('companies');
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { sent: 5 } } });
});
