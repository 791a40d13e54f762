import { expect, test } from 'vitest';
import { whenWritten } from '../../postgres/test-database.js';
import { addCompanies, addVacancies, createWorld, type World } from '../world.js';

const lastSuccess = async (world: World) =>
  (await world.state.entityStates.read('companies')).lastSuccessAt?.getTime() ?? null;

/** Four companies that the platform refuses, of which it gets two: the others stay pending. */
async function withPending(): Promise<World> {
  const world = await createWorld();
  world.settings.guards.maxRejectedInARow = 2;
  world.settings.jobs.concurrency = 1;
  world.intercept = () => ({ status: 422, body: { message: 'unknown field' } });
  await addCompanies(world, 4);
  return world;
}

test('a run after which something is pending is no success', async () => {
  const world = await withPending();
  expect(await world.run()).toMatchObject({ entities: { companies: { pending: 2 } } });
  expect(await lastSuccess(world)).toBeNull();
  world.intercept = null;
  await world.state.entityStates.approve('companies');
  expect(await world.run()).toMatchObject({ entities: { companies: { pending: 0 } } });
  expect(await lastSuccess(world)).not.toBeNull();
});

test('children that wait for a parent that is still to be sent are no success; those of a rejected one do not count', async () => {
  const ofVacancies = async (of: World) => (await of.state.entityStates.read('vacancies')).lastSuccessAt;
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  world.intercept = () => ({ status: 503, body: {} });
  expect(await world.run()).toMatchObject({ entities: { vacancies: { waiting: 1, pending: 0 } } });
  expect(await ofVacancies(world)).toBeNull();
  world.intercept = () => ({ status: 422, body: { message: 'no such company' } });
  await world.sql(`update placement_sync.sync_state set next_attempt_at = now()`);
  expect(await world.run()).toMatchObject({ entities: { companies: { rejected: 1 } } });
  expect(await ofVacancies(world)).not.toBeNull();
});

test('a worker notes no success either while something is pending', async () => {
  const world = await withPending();
  const worker = world.work();
  await expect
    .poll(() => worker.events.map(({ type }) => type), { timeout: 60_000 })
    .toContain('entity-held');
  await worker.stop();
  expect((await world.state.records.counts('companies')).pending).toBe(2);
  expect(await lastSuccess(world)).toBeNull();
});

test('a run that fails is no success, although nothing of the entity is pending', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  const before = await lastSuccess(world);
  expect(before).not.toBeNull();
  await addVacancies(world, 1);
  await whenWritten(world.sql, 'placement_sync.staged_finding', `raise exception 'the disk is full';`);
  expect(await world.run()).toMatchObject({ outcome: 'failed', entities: { companies: { pending: 0 } } });
  expect(await lastSuccess(world)).toBe(before);
});
