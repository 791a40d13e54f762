import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type KeepingPlatform, startKeepingPlatform } from './other-worlds.js';
import { addCompanies, addVacancies, createWorld, type World } from './world.js';

describe('absent', () => {
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
});

describe('expired', () => {
  /** Ten vacancies, of which the query loses five: three whose last day is over, and two that are open still. */
  async function halfEnded(): Promise<World> {
    const world = await createWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 10);
    await world.sql(
      `update vacancy set expire_at = '2020-01-31T12:00:00+07:00' where id in ('v01', 'v02', 'v03')`,
    );
    await world.sql(`update vacancy set expire_at = '2999-01-31' where id = 'v04'`);
    expect(await world.run()).toMatchObject({ exitCode: 0 });
    await world.sql(`delete from vacancy where id <= 'v05'`);
    return world;
  }

  const lines = async (world: World) => {
    const { records } = await world.state.recordLists.page(
      'vacancies',
      { status: 'vanished', search: null, reason: null, sort: 'key', descending: false },
      { after: null, limit: 10 },
    );
    return records.map(({ key, expiredOn }) => [key, expiredOn]);
  };

  test('what left the query after its last day is counted and named as expired, and still as vanished', async () => {
    const world = await halfEnded();
    world.settings.guards = { ...world.settings.guards, maxVanishedPercent: 20 };
    const plan = await world.plan();
    expect(plan.entities.vacancies).toMatchObject({ vanished: 5, expired: 3, held: false });
    expect(plan.changes.map(({ key, action, expired }) => [key, action, expired])).toEqual([
      ['v01', 'vanished', true],
      ['v02', 'vanished', true],
      ['v03', 'vanished', true],
      ['v04', 'vanished', undefined],
      ['v05', 'vanished', undefined],
    ]);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { vacancies: { vanished: 5, expired: 3 } },
    });
    const { entities } = await world.status();
    expect(entities.vacancies).toMatchObject({ vanished: 5, expired: 3 });
    expect(entities.companies).not.toHaveProperty('expired');
    expect(await lines(world)).toEqual([
      ['v01', '2020-01-31'],
      ['v02', '2020-01-31'],
      ['v03', '2020-01-31'],
      ['v04', null],
      ['v05', null],
    ]);
    expect(await world.explain('vacancies', 'v01')).toMatchObject({
      status: 'vanished',
      reason:
        'It has expired: its last day, 2020-01-31, was over when it left the query’s result. Nothing more is sent.',
    });
    expect((await world.explain('vacancies', 'v04')).reason).toBe(
      'It is no longer in the query’s result. Nothing more is sent.',
    );
    const days = {
      from: '2020-01-01',
      to: '2999-12-31',
      timeZone: 'Asia/Jakarta',
      entities: ['vacancies', 'companies'],
    };
    expect(await world.state.deliveries.expired(days)).toEqual({ vacancies: 3 });
    expect(await world.state.deliveries.expired({ ...days, to: '2021-01-01' })).toEqual({});
  });

  test('one that comes back is not expired any more', async () => {
    const world = await halfEnded();
    world.settings.guards = { ...world.settings.guards, maxVanishedPercent: 100 };
    await world.run();
    await world.sql(
      `insert into vacancy (id, company_id, title, expire_at) values ('v01', 'c01', 'Vacancy 1', '2999-01-31')`,
    );
    await world.run();
    expect((await world.status()).entities.vacancies).toMatchObject({ vanished: 4, expired: 2 });
    await world.sql(`delete from vacancy where id = 'v01'`);
    await world.run();
    expect((await world.status()).entities.vacancies).toMatchObject({ vanished: 5, expired: 2 });
  });

  test('a hold says how many had expired beside those that it counts', async () => {
    const world = await halfEnded();
    expect(await world.run()).toMatchObject({ outcome: 'held' });
    const { hold } = await world.state.entityStates.read('vacancies');
    // The keys are of those that the guard counts.
    expect(hold?.sampleKeys.slice(0, 2)).toEqual(['v04', 'v05']);
    expect((await world.explain('vacancies', 'v01')).reason).toContain(
      'It has expired: its last day, 2020-01-31, is over.',
    );
    expect(hold?.message).toContain('2 of 10 records vanished');
    expect(hold?.message).toContain('Another 3 had expired, which the guard does not count.');
  });
});
