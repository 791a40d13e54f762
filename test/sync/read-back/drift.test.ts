import { expect, test } from 'vitest';
import { addCompanies, createWorld, type World } from '../world.js';

/** Four companies, one of which the platform has lost. */
async function lostOne(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 4);
  await world.run();
  world.sandbox.forget('companies', await world.idOf('companies', 'c02'));
  return world;
}

const drift = async ({ state }: World) => (await state.entityStates.read('companies')).drift;

test('a record that is missing is known from then on, until a read-back finds it equal', async () => {
  const world = await lostOne();
  expect(await drift(world)).toBeUndefined();
  await world.verify();
  const known = await drift(world);
  expect(known).toEqual({ count: 1, since: expect.any(Date) as Date, sampleKeys: ['c02'] });
  await world.verify();
  expect(await drift(world), 'found again').toEqual(known);
  await world.state.readBacks.noteDrift('companies', { different: [], equal: ['c01', 'c02'] });
  expect(await drift(world)).toBeUndefined();
});

test('a record that is accepted again is no longer known to differ, however it came to be sent', async () => {
  const world = await lostOne();
  await world.verify();
  expect(await drift(world)).toMatchObject({ count: 1 });
  await world.resync(['c02'], ['companies']);
  expect(await drift(world)).toBeUndefined();
  expect(await world.run()).toMatchObject({ exitCode: 0 });
});

test('what was sent after it was read back is not marked', async () => {
  const world = await lostOne();
  const [record] = await world.state.readBacks.page('companies', 'settled', 'c01', 1);
  if (!record) throw new Error('no record');
  await world.resync(['c02'], ['companies']);
  await world.state.readBacks.noteDrift('companies', { different: [record], equal: [] });
  expect(await drift(world)).toBeUndefined();
});
