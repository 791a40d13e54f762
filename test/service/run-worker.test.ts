import { expect, test } from 'vitest';
import { requestSweep } from '../../src/sync/request-sweep.js';
import { addCompanies, createWorld, type World } from '../sync/world.js';

/** Triggers of the runs so far. */
async function triggers(world: World): Promise<string[]> {
  const rows = await world.sql<{ trigger: string }>(
    'select trigger from placement_sync.sync_run where finished_at is not null order by started_at',
  );
  return rows.map(({ trigger }) => trigger);
}

test('a sweep that somebody asks for begins within seconds, whichever process holds the lease', async () => {
  const world = await createWorld();
  const worker = world.work();
  await expect.poll(() => triggers(world)).toEqual(['catch-up']);
  await addCompanies(world, 2);
  // Only the state database is between whoever asks and whoever works.
  await requestSweep(world.state);
  await expect.poll(() => Object.keys(world.held('companies')).length, { timeout: 10_000 }).toBe(2);
  expect(await triggers(world)).toEqual(['catch-up', 'manual']);
  await worker.stop();
});

test('a sweep that was asked for while nothing ran is made up for at the start, and only once', async () => {
  const world = await createWorld();
  await world.state.schedules.setDue('sync', new Date(Date.now() + 3_600_000));
  await requestSweep(world.state);
  const worker = world.work();
  await expect.poll(() => triggers(world)).toEqual(['catch-up']);
  await worker.stop();
  const next = await world.state.schedules.read('sync');
  expect(next).toMatchObject({ overdue: false });
});

test('a due time still to come is waited for', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  await world.state.schedules.setDue('sync', new Date(Date.now() + 3_600_000));
  const worker = world.work();
  // From here on it waits for the time of its own that it has stored.
  const stored = async () => (await world.state.schedules.read('sync'))?.at.getTime() ?? 0;
  await expect.poll(stored).toBeGreaterThan(Date.now() + 3_700_000);
  await requestSweep(world.state);
  await expect.poll(() => triggers(world), { timeout: 10_000 }).toEqual(['manual', 'manual']);
  await worker.stop();
});
