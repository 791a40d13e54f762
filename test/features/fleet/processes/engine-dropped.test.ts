import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dropSchema } from '../../../postgres/test-database.js';
import { createFleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns, overlaps } from './ledger-runs.js';
import { settle } from './settle.js';

test('the schema of the engine is dropped while runs are under way: the runs go on, each tenant runs again, nothing is lost', async () => {
  const world = await createFleetWorld({ tenants: manyTenants(12), file: { readSeconds: 1 } });
  for (let count = 0; count < 2; count += 1) await world.start();
  const feeder = await openFeeder(world);
  feeder.keepBusy(4);
  const { query } = world.database;
  await expect.poll(async () => (await ledgerRuns(world, world.tenants)).length).toBeGreaterThan(12);
  const underWay = async () =>
    (await query<{ name: string }>('select name from vendor.tenant where running_replica is not null'))
      .length;
  for (let drops = 0; drops < 2; drops += 1) {
    await expect.poll(underWay).toBeGreaterThan(1);
    await dropSchema(world.database, 'vendor_jobs');
    await wait(8_000);
  }
  const droppedAt = await world.now();
  const behind = await settle(world, feeder);
  await feeder.stop();
  expect(behind).toEqual([]);
  // Without anybody who sends jobs: each when it is due.
  const ranSince = async () =>
    new Set(
      (await ledgerRuns(world, world.tenants))
        .filter(({ startedAt }) => startedAt > droppedAt)
        .map(({ tenant }) => tenant),
    ).size;
  // Once in its period of a minute.
  await expect.poll(ranSince, { timeout: 180_000 }).toBe(12);
  const runs = await ledgerRuns(world, world.tenants);
  expect(overlaps(runs, world.replicas)).toEqual([]);
  expect(runs.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(world.replicas.map(({ exitCode }) => exitCode)).toEqual([null, null]);
  const said = world.replicas.map(({ stderr }) => stderr()).join('');
  expect(said).toContain('The schema of the engine of the fleet is gone.');
});
