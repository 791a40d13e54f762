import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyProject } from '../../../copy-project.js';
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

/** Builds this program as it may be next: with one more migration of ledgers. Gives the path of the command. */
function buildLater(): string {
  const copy = copyProject(['src', 'migrations', 'build.ts', 'package.json', 'tsconfig.json']);
  onTestFinished(() => copy.remove());
  copy.patch('migrations/all.ts', '\n];', "\n  { ...autovacuum, name: '9999-later' },\n];");
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: copy.folder, stdio: 'pipe' });
  return join(copy.folder, 'dist/src/cli/main.js');
}

test('an update across a migration of the ledgers: old and new replicas wait with a reason for what they cannot run, none is failing, nothing is lost or doubled', async () => {
  const program = buildLater();
  const world = await createFleetWorld({
    tenants: manyTenants(4),
    size: { companies: 2, vacancies: 20 },
    rate: 50,
  });
  const states = async () => (await world.status()).tenants.map(({ state }) => state);
  const feeder = await openFeeder(world);
  const ran = async () => {
    await feeder.send(world.tenants);
    await expect.poll(async () => new Set(await states())).toEqual(new Set(['ok']));
  };
  const outcomes = async () =>
    (await world.status()).tenants.map(({ lastRun, reason }) => `${lastRun?.outcome}: ${reason}`);
  const apart = (why: string) => world.tenants.map(() => expect.stringContaining(why) as string);

  // The first run of a tenant makes its ledger, at the version of the replica.
  const early = await world.start();
  await ran();

  // New replicas alone, before the migration: they wait, and nothing is run.
  expect(await early.stop()).toBe(0);
  for (const tenant of world.tenants) await world.sources.edit(tenant);
  const runsBefore = (await ledgerRuns(world, world.tenants)).length;
  const late = await world.start({ program });
  await feeder.send(world.tenants);
  await expect
    .poll(outcomes)
    .toEqual(apart('other-version: An update of the fleet is under way. The ledger "tenant_'));
  expect(new Set(await states())).toEqual(new Set(['waiting']));
  expect((await outcomes())[0]).toContain('Run: placement-sync fleet migrate');
  expect(late.stderr()).toContain('is not migrated yet for the version of this replica');
  expect(await ledgerRuns(world, world.tenants)).toHaveLength(runsBefore);

  // Old ones beside it go on with their ledgers, while the sources change.
  const beside = await world.start();
  feeder.keepBusy(2);
  await expect
    .poll(async () => (await ledgerRuns(world, world.tenants)).some(({ replica }) => replica === beside.name))
    .toBe(true);
  // Across the migration, with runs of the old one under way.
  execFileSync(process.execPath, [program, 'fleet', 'migrate'], {
    ...{ cwd: world.folder, env: world.env, stdio: 'pipe' },
  });
  await expect
    .poll(async () => (await ledgerRuns(world, world.tenants)).some(({ replica }) => replica === late.name))
    .toBe(true);
  // The old one does not work any more, and says why.
  await expect.poll(() => beside.stderr()).toContain('is migrated for a newer version than this replica is');
  expect(await states()).not.toContain('failing');
  expect(beside.exitCode).toBeNull();
  expect(await beside.stop()).toBe(0);
  const behind = await settle(world, feeder);
  await feeder.stop();
  expect(behind).toEqual([]);
  await expect.poll(async () => new Set(await states())).toEqual(new Set(['ok']));
  expect(overlaps(await ledgerRuns(world, world.tenants), world.replicas)).toEqual([]);
  const records = world.sandbox.records('jobs', 'vacancies');
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
});
