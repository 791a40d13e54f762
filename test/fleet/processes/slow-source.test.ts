import { expect, test } from 'vitest';
import type { FleetReport } from '../../../src/fleet/fleet-report.js';
import { differences } from './compare-platform.js';
import { createFleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns } from './ledger-runs.js';

/** Longer than small tenants take to be read, shorter than slow ones. */
const SLICE_MS = 2_000;

test('a source that is slow, or hangs, leaves the slots of small tenants after one slice, and is read to its end among the large ones', async () => {
  const small = manyTenants(3);
  const world = await createFleetWorld({ tenants: small, slots: 1, largeSlots: 2 });
  for (const [tenant, readSeconds] of [
    ['slow', 6],
    ['hangs', 600],
  ] as const) {
    await world.sources.add(tenant);
    world.write(tenant, { readSeconds });
  }
  expect((await world.apply()).exitCode).toBe(0);
  const replica = await world.start({ sliceMs: SLICE_MS });
  const different = async (tenants: readonly string[]) =>
    [...(await differences(world, tenants)).values()].flat();
  await expect.poll(() => different([...small, 'slow']), { timeout: 90_000 }).toEqual([]);
  const outcomes = async (tenant: string) =>
    (await ledgerRuns(world, [tenant])).map(({ outcome }) => outcome);
  await expect.poll(async () => (await outcomes('slow')).slice(0, 2)).toEqual(['aborted', 'complete']);
  await expect.poll(() => outcomes('hangs')).toEqual(['aborted', null]);

  // The one that hangs holds none of their slots.
  const feeder = await openFeeder(world);
  for (const tenant of small) await world.sources.edit(tenant);
  await feeder.send(small);
  await expect.poll(() => different(small)).toEqual([]);
  await feeder.stop();
  expect(await outcomes('hangs')).toEqual(['aborted', null]);

  const { tenants } = JSON.parse((await world.fleet('list', '--json')).stdout) as Pick<
    FleetReport,
    'tenants'
  >;
  expect(Object.fromEntries(tenants.map(({ name, lane }) => [name, lane]))).toMatchObject({
    ...{ slow: 'large', hangs: 'large', t000: 'sync', t001: 'sync', t002: 'sync' },
  });
  const { lastRun } = tenants.find(({ name }) => name === 'hangs') ?? {};
  expect(lastRun).toMatchObject({ outcome: 'slice', usedUpSlice: true, message: null });
  expect(replica.stderr()).toContain(
    'The sweep took longer than 2 s. It begins again in the lane of large tenants',
  );
  expect(await replica.stop()).toBe(0);
});
