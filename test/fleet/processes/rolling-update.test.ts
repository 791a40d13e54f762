import { expect, test } from 'vitest';
import { createFleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns, overlaps } from './ledger-runs.js';
import { settle } from './settle.js';

/** Without a hand-over nobody would take the tenant for 15 s, which is how long signs of life may be missing. */
const HANDED_OVER_MS = 10_000;

test('an update stops one replica after the other, each after a new one works: their tenants go on at once, no run is lost or done twice', async () => {
  // Sending takes long, so that each stop finds runs under way.
  const world = await createFleetWorld({
    tenants: manyTenants(8),
    size: { companies: 3, vacancies: 60 },
    rate: 20,
  });
  const old = [await world.start(), await world.start()];
  const feeder = await openFeeder(world);
  await feeder.send(world.tenants);
  const runningOn = async (replica: string) =>
    (
      await world.database.query<{ name: string }>(
        'select name from vendor.tenant where running_replica = $1 order by name',
        [replica],
      )
    ).map(({ name }) => name);
  for (const replica of old) {
    await expect.poll(async () => (await runningOn(replica.name)).length).toBeGreaterThan(1);
    await world.start();
    expect(await replica.stop()).toBe(0);
    expect(await runningOn(replica.name)).toEqual([]);
  }
  /** Milliseconds from the end of each run that a stop cut short until its tenant ran again. */
  const pauses = async () => {
    const runs = await ledgerRuns(world, world.tenants);
    return runs.flatMap(({ tenant, replica, finishedAt, outcome }) => {
      if (outcome !== 'aborted' || finishedAt === null) return [];
      const next = runs.find((run) => run.tenant === tenant && run.startedAt >= finishedAt);
      return [{ tenant, replica, ms: (next?.startedAt.getTime() ?? Infinity) - finishedAt.getTime() }];
    });
  };
  await expect.poll(async () => (await pauses()).filter(({ ms }) => ms > HANDED_OVER_MS)).toEqual([]);
  const stopped = new Set((await pauses()).map(({ replica }) => replica));
  expect([...stopped].toSorted()).toEqual(old.map(({ name }) => name).toSorted());
  const behind = await settle(world, feeder);
  await feeder.stop();
  expect(behind).toEqual([]);
  const runs = await ledgerRuns(world, world.tenants);
  expect(overlaps(runs, world.replicas)).toEqual([]);
  // Each record was sent once: nobody had to send again what another one had under way.
  const records = [
    ...world.sandbox.records('jobs', 'companies'),
    ...world.sandbox.records('jobs', 'vacancies'),
  ];
  expect(records).toHaveLength(8 * 63);
  expect(records.filter(({ puts }) => puts > 1).map(({ id, puts }) => `${id} ${puts}`)).toEqual([]);
});
