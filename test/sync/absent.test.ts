import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DAILY } from '../slow.js';
import { type KeepingPlatform, startKeepingPlatform } from './other-worlds.js';
import { addCompanies, addVacancies, createWorld, type World } from './world.js';

interface Merging {
  readonly world: World;
  readonly platform: KeepingPlatform;
}

/** Two companies with a text about them and a vacancy with a quota, at a platform that merges. */
async function merging(): Promise<Merging> {
  const world = await createWorld();
  const platform = await startKeepingPlatform({ merges: true });
  world.settings.jobs.baseUrl = platform.url;
  await addCompanies(world, 2);
  await addVacancies(world, 2);
  await world.sql(`update company set about = 'Old text', industry = $1`, [randomUUID()]);
  await world.sql(`update vacancy set quota = '4', expire_at = '2999-01-01'`);
  await world.run();
  platform.requests();
  return { world, platform };
}

const bodyOf = async ({ world, platform }: Merging, entity: string, key: string) => {
  const id = await world.idOf(entity, key);
  return [...platform.records].find(([path]) => path.includes(id))?.[1].body;
};

const lines = ({ platform }: Merging) => platform.requests().map(({ line }) => line.split(' ')[0]);

test('a platform that merges keeps what is left out; null clears it, and the second run sends nothing', async () => {
  const at = await merging();
  const { world } = at;
  await world.sql(`update company set about = null where id = 'c01'`);
  await world.run();
  expect(await bodyOf(at, 'companies', 'c01')).toMatchObject({ about: 'Old text' });
  lines(at);

  world.blocks.companies!.absent = { about: null };
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    entities: { companies: { changed: 1, unchanged: 1, sent: 1, accepted: 1 }, vacancies: { sent: 0 } },
  });
  expect(await bodyOf(at, 'companies', 'c01')).toMatchObject({ about: null, name: 'Company 1' });
  expect(await bodyOf(at, 'companies', 'c02')).toMatchObject({ about: 'Old text' });
  expect(await world.explain('companies', 'c01')).toMatchObject({
    payload: { about: null },
    status: 'synced',
  });
  lines(at);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { sent: 0 } } });
  expect(lines(at)).toEqual([]);
});

test('another setting reads everything again, and no guard holds what changes through it', async ({
  skip,
}) => {
  skip(DAILY);
  const world = await createWorld();
  await world.sql(
    `insert into company (id, name) select n::text, 'Company ' || n from generate_series(1, 120) n`,
  );
  await world.run();
  world.requests();
  world.blocks.companies!.absent = null;
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    entities: { companies: { read: 120, changed: 120, accepted: 120, held: false } },
  });
  expect(world.events).toContainEqual(
    expect.objectContaining({ type: 'sweep-started', entity: 'companies', why: 'mapping changed' }),
  );
  world.requests();
  world.blocks.companies!.absent = 'omit';
  expect(await world.run()).toMatchObject({ entities: { companies: { changed: 120, held: false } } });
});

test('the sandbox takes nulls in every entity, shows them as nothing, and a vacancy bears those of its employer', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  world.blocks.companies!.absent = null;
  world.blocks.vacancies!.absent = null;
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 1 } } });
  const [vacancy] = Object.values(world.held('vacancies'));
  expect(vacancy).toMatchObject({
    quota: null,
    region: null,
    min_salary: null,
    skills: null,
    employer: { name: 'Company 1', website: null, industry: null },
  });
  expect(await world.verify()).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { same: 1 }, vacancies: { same: 1 } }, drift: [] },
  });
});

test('closing sends the nulls that were accepted, and nothing afterwards', async () => {
  const at = await merging();
  const { world } = at;
  world.settings.guards.maxVanishedPercent = 100;
  world.blocks.vacancies!.absent = null;
  world.blocks.vacancies!.onVanished = 'close';
  await world.sql(`update vacancy set quota = null`);
  await world.run();
  expect(await bodyOf(at, 'vacancies', 'v01')).toMatchObject({ quota: null, status: 'open' });
  await world.sql(`delete from vacancy where id = 'v01'`);
  lines(at);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { vacancies: { vanished: 1, accepted: 1 } },
  });
  expect(await bodyOf(at, 'vacancies', 'v01')).toMatchObject({ quota: null, status: 'closed' });
  lines(at);
  await world.run();
  expect(lines(at)).toEqual([]);
});
