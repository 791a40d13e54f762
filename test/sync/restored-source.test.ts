import { expect, test } from 'vitest';
import { addCompanies, createWorld, type World } from './world.js';

/** What every company is about, at the platform. */
const held = (world: World) =>
  Object.values(world.held<{ about?: string }>('companies')).map(({ about }) => about ?? null);

/** Twenty companies, each edited and sent since a backup of the source was made. */
async function edited() {
  const world = await createWorld();
  await addCompanies(world, 20);
  await world.sql(`update company set about = 'old'`);
  await world.run();
  await world.sql('create table backup as select * from company');
  await world.sql(`update company set about = 'new'`);
  await world.run();
  expect(new Set(held(world))).toEqual(new Set(['new']));
  return world;
}

const restore = async (world: World) => {
  await world.sql('delete from company');
  await world.sql('insert into company select * from backup');
};

test('a source that was restored wins: its older contents are sent as changes, and no guard stops them', async () => {
  const world = await edited();
  await restore(world);
  // What an operator sees before it happens.
  const plan = await world.plan();
  expect(plan.entities.companies).toMatchObject({ changed: 20, vanished: 0 });
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { changed: 20, accepted: 20 } },
  });
  expect(new Set(held(world))).toEqual(new Set(['old']));
});

test('records that are younger than the restored source vanish, behind the guard, and then nothing older is sent either', async () => {
  const world = await edited();
  await world.sql(`insert into company (id, name) select 'y' || n, 'Young' from generate_series(1, 5) n`);
  await world.run();
  await restore(world);
  expect(await world.run()).toMatchObject({ exitCode: 4, entities: { companies: { held: true, sent: 0 } } });
  expect(held(world).filter((about) => about === 'new')).toHaveLength(20);
});
