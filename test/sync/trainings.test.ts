import { expect, test } from 'vitest';
import { createWorld, TRAINING_BLOCKS, type World } from './world.js';

async function trainingWorld(): Promise<World> {
  const world = await createWorld({ extraFields: 'accept' });
  delete world.blocks.companies;
  delete world.blocks.vacancies;
  world.blocks.institutions = TRAINING_BLOCKS.institutions();
  world.blocks.trainings = TRAINING_BLOCKS.trainings();
  await world.sql(`insert into institution values ('i1', 'LPK Satu')`);
  await world.sql(
    `insert into training values ('t1', 'i1', 'Barista', 20, true), ('t2', null, 'Las', 10, false)`,
  );
  return world;
}

test('a training is sent with its institution, one without a key without', async () => {
  const world = await trainingWorld();
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { institutions: { accepted: 1 }, trainings: { new: 2, accepted: 2 } },
  });
  const [institution] = world.sandbox.records('training', 'institutions');
  const held = world.held('trainings');
  expect(held[await world.idOf('trainings', 't1')]).toMatchObject({
    title: 'Barista',
    address: null,
    institution: { id: institution?.reference, name: 'LPK Satu', email: null },
  });
  expect(held[await world.idOf('trainings', 't2')]).toEqual({ title: 'Las', address: null, quota: 10 });
  world.requests();
  await world.run();
  expect(world.requests()).toEqual([]);
});

test('a training of an institution that is not in its query waits and says so', async () => {
  const world = await trainingWorld();
  await world.sql(`update training set institution_id = 'i9' where id = 't1'`);
  expect(await world.run()).toMatchObject({
    exitCode: 3,
    entities: { trainings: { accepted: 1, waiting: 1 } },
  });
  expect((await world.explain('trainings', 't1')).reason).toContain(
    'no such record in the query of institutions',
  );
});

test('extra fields reach the platform with the type of their column, and configuring one sends again', async () => {
  const world = await trainingWorld();
  await world.run();
  const trainings = world.blocks.trainings;
  if (!trainings) throw new Error('no trainings');
  trainings.sql = `select id as key, title, seats as places, certified as checked, jsonb '{"a":1}' as more,
    null::text as nothing from training`;
  trainings.extraFields = { 'room.seats': 'places', verified: 'checked', meta: 'more', left_out: 'nothing' };
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { trainings: { changed: 2, accepted: 2 } },
  });
  expect(world.held('trainings')[await world.idOf('trainings', 't1')]).toEqual({
    title: 'Barista',
    address: null,
    room: { seats: 20 },
    verified: true,
    meta: { a: 1 },
  });
});

test('a query without the column of an extra field fails its entity only, and names the column', async () => {
  const world = await trainingWorld();
  if (world.blocks.trainings) world.blocks.trainings.extraFields = { verified: 'checked' };
  const report = await world.run();
  expect(report).toMatchObject({ exitCode: 1, entities: { institutions: { accepted: 1 } } });
  expect(report.entities.trainings?.error?.message).toContain('the required column "checked" is missing');
});
