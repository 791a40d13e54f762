import { expect, test, vi } from 'vitest';
import { addCompanies, createWorld } from '../sync/world.js';

vi.setConfig({ testTimeout: 60_000 });

test('a worker tries an area whose replies it did not understand again by itself, and sends the rest', async () => {
  const world = await createWorld();
  await addCompanies(world, 4);
  world.intercept = () => ({ status: 202, body: { data: { reference: 'r' } } });
  const worker = world.work();
  await world.state.schedules.setDueNow('sync');
  const stopped = () => worker.events.filter((event) => event.type === 'area-stopped');
  await expect.poll(() => stopped().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  expect(stopped()[0]).toMatchObject({
    code: 'reply-not-understood',
    hint: expect.stringContaining('platform.operations.putCompany.accepted') as string,
  });
  expect(worker.events).toContainEqual(expect.objectContaining({ type: 'area-retry', area: 'jobs' }));
  expect(await world.status()).toMatchObject({ stoppedAreas: [{ code: 'reply-not-understood' }] });

  world.intercept = null;
  const synced = async () => (await world.status()).entities.companies?.synced;
  await expect.poll(synced, { timeout: 30_000 }).toBe(4);
  await worker.stop();
  expect((await world.status()).stoppedAreas).toBeUndefined();
});
