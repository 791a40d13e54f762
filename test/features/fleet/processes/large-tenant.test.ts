import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns, overlaps } from './ledger-runs.js';
import { settle } from './settle.js';

const SLICE_MS = 2_000;

test('a large tenant is sent in slices, in turn with small ones and parents first, and a kill in the middle loses nothing', async () => {
  const small = manyTenants(4);
  // One slot: what is not a turn would be a tenant that waits until the end.
  const world = await createFleetWorld({ tenants: small, slots: 1, rate: 40 });
  await world.sources.add('large', { companies: 40, vacancies: 400 });
  world.write('large', { lane: 'sync' });
  expect((await world.apply()).exitCode).toBe(0);
  const all = [...small, 'large'];
  const first = await world.start({ sliceMs: SLICE_MS });
  const feeder = await openFeeder(world);
  await feeder.send(['large']);
  const slices = async () =>
    (await ledgerRuns(world, ['large'])).filter(({ finishedAt }) => finishedAt !== null).length;
  const isRunning = async () =>
    (
      await world.database.query(
        `select 1 from vendor.tenant where name = 'large' and running_replica is not null`,
      )
    ).length > 0;
  await expect.poll(slices).toBeGreaterThan(1);
  for (const tenant of small) await world.sources.edit(tenant);
  await feeder.send(small);
  await expect.poll(slices).toBeGreaterThan(3);
  await world.start({ sliceMs: SLICE_MS });
  await expect.poll(isRunning).toBe(true);
  await first.kill();
  await wait(20_000);
  const behind = await settle({ ...world, tenants: all }, feeder);
  await feeder.stop();
  expect(behind).toEqual([]);

  const runs = await ledgerRuns(world, all);
  expect(overlaps(runs, world.replicas)).toEqual([]);
  const large = runs.filter(({ tenant }) => tenant === 'large');
  expect(large.length).toBeGreaterThan(4);
  // Each small one came between two slices of the large one.
  const [start, last] = [large[0]?.startedAt ?? new Date(0), large.at(-1)?.startedAt ?? new Date(0)];
  for (const tenant of small)
    expect(
      runs.filter((run) => run.tenant === tenant && run.startedAt > start && run.startedAt < last).length,
      tenant,
    ).toBeGreaterThan(0);
  // The platform takes a vacancy only with the reference of a company that it holds; so the order was kept when nothing
  // was refused.
  const refused = world.sandbox.requests().filter(({ status }) => status !== null && status >= 400);
  expect(refused).toEqual([]);
  // A later slice only sends: the source is read again when its period is over.
  const [row] = await world.database.query<{ sweeps: number; runs: number }>(
    `select count(*) filter (where (counters->'vacancies'->>'read')::int > 0)::int as sweeps, count(*)::int as runs
     from tenant_large.sync_run where finished_at is not null`,
  );
  expect(row?.sweeps).toBeLessThan(row?.runs ?? 0);
});
