import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, type World } from './world.js';

const VACANCIES = 'select id as key, company_id as company_key, title, quota, expire_at from vacancy';

function mapVacancies(world: World, sql: string): Promise<void> {
  const { vacancies } = world.blocks;
  if (!vacancies) throw new Error('vacancies has no block');
  vacancies.sql = sql;
  return Promise.resolve();
}

const ACCIDENTS: readonly {
  readonly what: string;
  readonly happens: (world: World) => Promise<unknown>;
  readonly fixed: (world: World) => Promise<unknown>;
  readonly says: RegExp;
  readonly counters: object;
}[] = [
  {
    what: 'an empty source',
    happens: async (world) => {
      await world.sql('alter table vacancy rename to filled');
      await world.sql('create table vacancy (like filled)');
    },
    fixed: async (world) => {
      await world.sql('drop table vacancy');
      await world.sql('alter table filled rename to vacancy');
    },
    says: /^The source has no rows, the ledger has 12\./,
    counters: { read: 0, vanished: 12 },
  },
  {
    what: 'half of the source gone',
    happens: (world) => mapVacancies(world, `${VACANCIES} where id > 'v06'`),
    fixed: (world) => mapVacancies(world, VACANCIES),
    says: /^6 of 12 records vanished \(50 %\); guards\.maxVanishedPercent is 10\./,
    counters: { read: 6, vanished: 6 },
  },
  {
    what: 'another key column',
    happens: (world) => mapVacancies(world, VACANCIES.replace('id as', 'title as')),
    fixed: (world) => mapVacancies(world, VACANCIES),
    says: /^12 of 12 records vanished \(100 %\)/,
    counters: { read: 12, new: 12, vanished: 12 },
  },
  {
    what: 'a mapping that makes every record invalid',
    happens: (world) => mapVacancies(world, VACANCIES.replace('title', 'null as title')),
    fixed: (world) => mapVacancies(world, VACANCIES),
    says: /^12 of 12 records that were valid are invalid now \(100 %\)/,
    counters: { read: 12, invalid: 12, vanished: 0 },
  },
];

test.each(ACCIDENTS)(
  '$what is held with one message until it is fixed; nothing is sent, closed or counted as gone',
  async ({ happens, fixed, says, counters }) => {
    const world = await createWorld();
    const { vacancies } = world.blocks;
    if (vacancies) vacancies.onVanished = 'close';
    await addCompanies(world, 2);
    await addVacancies(world, 12);
    await world.run();
    world.requests();

    await happens(world);
    for (const time of ['at first', 'again']) {
      expect(await world.run(), time).toMatchObject({
        exitCode: 4,
        outcome: 'held',
        entities: {
          companies: { held: false },
          vacancies: { ...counters, held: true, sent: 0, error: null },
        },
      });
      const reported = world.events.filter(({ type }) =>
        ['entity-held', 'entity-failed', 'warning'].includes(type),
      );
      expect(reported, time).toEqual([
        expect.objectContaining({
          type: 'entity-held',
          message: expect.stringMatching(says) as string,
          hint: expect.stringContaining('placement-sync approve vacancies') as string,
        }),
      ]);
    }
    await fixed(world);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { vacancies: { unchanged: 12, vanished: 0, sent: 0, held: false } },
    });
    expect(world.requests()).toEqual([]);
    const status = await world.status();
    expect(status.entities.vacancies).toMatchObject({ synced: 12, vanished: 0 });
  },
);

test('another key column that is approved sends every record again and closes those of the former keys', async () => {
  const world = await createWorld();
  const { vacancies } = world.blocks;
  if (vacancies) vacancies.onVanished = 'close';
  await addCompanies(world, 1);
  await addVacancies(world, 6);
  await world.run();
  await mapVacancies(world, VACANCIES.replace('id as', 'title as'));
  expect(await world.run()).toMatchObject({ exitCode: 4 });
  await world.state.entityStates.approve('vacancies');
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { vacancies: { new: 6, vanished: 6, accepted: 12, held: false } },
  });
  const held = Object.values(world.held<{ status?: string }>('vacancies'));
  expect(held.filter(({ status }) => status === 'closed')).toHaveLength(6);
  expect(held.filter(({ status }) => status !== 'closed')).toHaveLength(6);
});
