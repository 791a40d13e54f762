import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FleetReport } from '../../../../src/features/fleet/fleet-report.js';
import type { Lane } from '../../../../src/features/fleet/state/types.js';
import { createLibraryDatabase } from '../../../../src/features/fleet/state/library-database.js';
import { differences } from './compare-platform.js';
import { createFleetWorld, FLEET_SCHEMA, type FleetWorld, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns } from './ledger-runs.js';

/** Longer than small tenants take to be read, shorter than slow ones. */
const SLICE_MS = 4_000;

const outcomes = async (world: FleetWorld, tenant: string) =>
  (await ledgerRuns(world, [tenant])).map(({ outcome }) => outcome);

/** What the platform holds differently. */
const different = async (world: FleetWorld, tenants: readonly string[]) =>
  [...(await differences(world, tenants)).values()].flat();

async function listed(world: FleetWorld) {
  const { stdout } = await world.fleet('list', '--json');
  return (JSON.parse(stdout) as Pick<FleetReport, 'tenants'>).tenants;
}

/** Adds tenants whose companies take so long to be read. */
async function addSlow(world: FleetWorld, seconds: Readonly<Record<string, number>>): Promise<void> {
  for (const [tenant, readSeconds] of Object.entries(seconds)) {
    await world.sources.add(tenant);
    world.write(tenant, { readSeconds });
  }
  expect((await world.apply()).exitCode).toBe(0);
}

/** Sends jobs to a lane where the tenants are not any more, as their schedules do until a replica has looked at them. */
async function sendTo(lane: Lane, { database }: FleetWorld, tenants: readonly string[]): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  const db = createLibraryDatabase({
    url: database.url,
    poolMax: 1,
    statementTimeoutMs: 60_000,
    lockedBy: { schema: 'jobs', table: 'version' },
  });
  const boss = new PgBoss({
    ...{ db, schema: `${FLEET_SCHEMA}_jobs` },
    ...{ migrate: false, schedule: false, supervise: false, useListenNotify: false },
  });
  await boss.start();
  for (const tenant of tenants)
    expect(await boss.send(lane, { tenant }, { singletonKey: tenant }), tenant).not.toBeNull();
  await boss.stop({ graceful: false, close: true });
  await db.close();
}

test('a slow source is read to its end among the large ones, after one slice', async () => {
  const small = manyTenants(2);
  const world = await createFleetWorld({ tenants: small, slots: 1 });
  await addSlow(world, { slow: 12 });
  const replica = await world.start({ sliceMs: SLICE_MS });
  await expect.poll(() => outcomes(world, 'slow'), { timeout: 90_000 }).toEqual(['aborted', 'complete']);
  await expect.poll(() => different(world, [...small, 'slow'])).toEqual([]);
  expect(Object.fromEntries((await listed(world)).map(({ name, lane }) => [name, lane]))).toEqual({
    ...{ slow: 'large', t000: 'sync', t001: 'sync' },
  });
  expect(replica.stderr()).toContain('The sweep took longer than 4 s. It begins again in the lane of large');
  expect(await replica.stop()).toBe(0);
});

test('sources that hang hold no slot of small tenants, whatever jobs are left of them', async () => {
  const small = manyTenants(2);
  const world = await createFleetWorld({ tenants: small, slots: 1 });
  await addSlow(world, { hangs: 600, waits: 600 });
  const replica = await world.start({ sliceMs: SLICE_MS });
  // One of the two has the only slot of the large ones.
  const both = async () => [await outcomes(world, 'hangs'), await outcomes(world, 'waits')].flat().sort();
  await expect.poll(both, { timeout: 90_000 }).toEqual(['aborted', 'aborted', null]);
  const [hangs] = (await listed(world)).filter(({ name }) => name === 'hangs');
  expect(hangs?.lastRun).toMatchObject({ outcome: 'slice', message: null, outgrewLane: true });

  await sendTo('sync', world, ['hangs', 'waits']);
  const feeder = await openFeeder(world);
  for (const tenant of small) await world.sources.edit(tenant);
  await feeder.send(small);
  await expect.poll(() => different(world, small)).toEqual([]);
  await feeder.stop();
  expect(await both()).toEqual(['aborted', 'aborted', null]);
  expect(await replica.stop()).toBe(0);
});

test('a sweep that is cut after its first entity begins again from there', async () => {
  const world = await createFleetWorld({ tenants: ['late'], file: { period: '1h' } });
  const { query } = world.sources.database;
  await query('create table late.lag as select 0 as seconds; grant select on late.lag to public');
  writeFileSync(
    join(world.folder, 'tenants', 'queries', 'late-vacancies.sql'),
    `select id as key, company_id as company_key, title from late.vacancy,
       (select pg_sleep(seconds) from late.lag offset 0) l where not gone`,
  );
  expect((await world.apply()).exitCode).toBe(0);
  const first = await world.start();
  await expect.poll(() => outcomes(world, 'late')).toEqual(['complete']);
  expect(await first.stop()).toBe(0);
  const replica = await world.start({ sliceMs: SLICE_MS });
  await query(`update late.lag set seconds = 8; update late.vacancy set title = title || ' more'`);
  expect((await world.fleet('sync', 'late')).exitCode).toBe(0);
  // On a slow machine a slice may be over while records are being sent; the next one sends the rest.
  const ended = async () => (await outcomes(world, 'late')).filter((outcome) => outcome !== 'partial');
  await expect.poll(ended).toEqual(['complete', 'aborted', 'complete']);
  expect(await different(world, ['late'])).toEqual([]);
  expect(await replica.stop()).toBe(0);
});
