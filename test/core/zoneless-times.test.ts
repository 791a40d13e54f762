import { expect, test } from 'vitest';
import { addCompanies, block, createWorld, TRAINING_BLOCKS, type World } from './world.js';

const SQL = `select id as key, 'c01' as company_key, 'Kasir' as title, closes as expire_at from job`;

async function zonelessWorld(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql('create table job (id text, closes timestamp)');
  await world.sql(`insert into job select 'v' || n, '2999-01-31 20:00' from generate_series(1, 3) n`);
  world.blocks.vacancies = block(SQL);
  return world;
}

const warnings = (world: World) =>
  world.events.flatMap((event) => (event.type === 'mapping-warnings' ? [event] : []));

const days = (world: World) => [
  ...new Set(Object.values(world.held('vacancies')).map(({ expire_at }) => expire_at)),
];

test('days of a column without time zone are counted while source.timeZone is not set', async () => {
  const world = await zonelessWorld();
  await world.run();
  expect(warnings(world)).toEqual([
    {
      type: 'mapping-warnings',
      entity: 'vacancies',
      field: 'expire_at',
      code: 'zone',
      hint: 'Ask in which zone the application writes it, and set source.timeZone to that zone.',
      count: 3,
      sample: 'v1: expire_at has no time zone; it is read as local time of Asia/Jakarta',
    },
  ]);
  expect(days(world)).toEqual(['2999-01-31']);

  world.settings.sourceTimeZone = 'UTC';
  await world.run();
  expect(warnings(world)).toEqual([]);
  expect(days(world)).toEqual(['2999-02-01']);
});

test.each(['date', 'timestamptz', `text using to_char(closes, 'YYYY-MM-DD')`])(
  'a column of type %s is no question of the source zone',
  async (type) => {
    const world = await zonelessWorld();
    await world.sql(`alter table job alter closes type ${type}`);
    await world.run();
    expect(warnings(world)).toEqual([]);
  },
);

test('times of statuses and days of trainings are counted by column', async () => {
  const world = await createWorld();
  Object.assign(world.blocks, {
    institutions: TRAINING_BLOCKS.institutions(),
    trainings:
      block(`select id as key, institution_id as institution_key, title, timestamp '2999-01-01 08:00' as start_date,
      timestamp '2999-01-02 08:00' as finish_date, date '2999-01-01' as expired_date from training`),
  });
  await world.sql(`insert into institution values ('i1', 'BLK')`);
  await world.sql(
    `insert into training (id, institution_id, title) values ('t1', 'i1', 'Las'), ('t2', 'i1', 'Jahit')`,
  );
  await world.run();
  expect(warnings(world).map(({ field, code, count }) => [field, code, count])).toEqual([
    ['start_date', 'zone', 2],
    ['finish_date', 'zone', 2],
  ]);
});

test('the same days are sent whatever zone the server is in, and a change of it sends nothing', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.sql(`create table job (id text, closes timestamptz)`);
  await world.sql(`insert into job select 'v' || n, '2999-01-31 20:00+00' from generate_series(1, 3) n`);
  const [{ name = '' } = {}] = await world.sql<{ name: string }>('select current_database() as name');
  // Printed by the query itself, so in the zone of the session.
  world.blocks.vacancies = block(SQL.replace('closes', 'closes::text'));
  await world.run();
  expect(days(world)).toEqual(['2999-02-01']);
  world.blocks.vacancies = block(SQL);
  for (const zone of ['Asia/Jakarta', 'America/New_York', 'Pacific/Auckland']) {
    await world.sql(`alter database ${name} set timezone = '${zone}'`);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { vacancies: { changed: 0, sent: 0 } },
    });
  }
  expect(warnings(world)).toEqual([]);
});

test('source.sessionTimeZone belongs to the mapping: under another one every row is read again', async () => {
  const world = await zonelessWorld();
  await world.run();
  const reasons = () => world.events.flatMap((event) => (event.type === 'sweep-started' ? [event.why] : []));
  await world.run();
  expect(reasons()).toEqual(['what differs', 'what differs']);
  world.settings.sessionTimeZone = 'America/New_York';
  expect(await world.run()).toMatchObject({ entities: { vacancies: { changed: 0, sent: 0 } } });
  expect(reasons()).toEqual(['mapping changed', 'mapping changed']);
});
