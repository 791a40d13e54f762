import { describe, expect, test } from 'vitest';
import { hasEngine } from '../features/fleet/engine/has-engine.js';
import { differences } from '../features/fleet/processes/compare-platform.js';
import {
  createFleetWorld,
  FLEET_SCHEMA,
  type FleetWorld,
  ledgerOf,
} from '../features/fleet/processes/fleet-world.js';
import { usePgBouncer } from './start-pgbouncer.js';

/** Fewer than one replica has connections. */
const POOL_SIZE = 3;
const TENANTS = ['acme', 'beta', 'gamma', 'delta'];

const engine = hasEngine();
if (!engine)
  process.stdout.write('Left out: a fleet behind PgBouncer. It needs Node 22.12 or later, and pg-boss.\n');

describe.skipIf(!engine)('a fleet whose database is behind PgBouncer in transaction mode', () => {
  const through = usePgBouncer(POOL_SIZE);
  const pooledFleet = (tenants = TENANTS) => createFleetWorld({ tenants, through });

  test('migrates, also twice at once, and each ledger once', async () => {
    const world = await pooledFleet();
    const both = await Promise.all([world.fleet('migrate'), world.fleet('migrate')]);
    expect(both.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toMatchObject([
      { exitCode: 0 },
      { exitCode: 0 },
    ]);
    expect((await world.fleet('migrate')).stdout).toContain(
      'Ledgers: 0 migrated, 4 were up to date, 0 failed.',
    );
    await world.database.query(`drop schema ${ledgerOf('beta')} cascade`);
    expect((await world.fleet('migrate')).stdout).toContain(
      'Ledgers: 1 migrated, 3 were up to date, 0 failed.',
    );
  });

  test('two replicas sync changes, heed a pause, and one takes over from the other', async () => {
    const world = await pooledFleet();
    const [first, second] = await Promise.all([world.start(), world.start()]);
    await expect.poll(async () => (await world.status()).counts.ok, { timeout: 90_000 }).toBe(4);
    expect(await inStep(world)).toEqual([]);

    for (const tenant of TENANTS) await world.sources.edit(tenant);
    for (const tenant of TENANTS)
      expect((await world.fleet('sync', tenant)).stdout).toContain(`${tenant} is in the line`);
    await expect.poll(() => inStep(world), { timeout: 90_000 }).toEqual([]);

    expect((await world.fleet('pause', 'beta')).exitCode).toBe(0);
    expect((await world.fleet('sync', 'beta')).stdout).toContain('beta is paused.');
    await world.sources.edit('beta');
    await world.sources.edit('gamma');
    await first.kill();
    await world.fleet('sync', 'gamma');
    await expect.poll(() => inStep(world, ['gamma']), { timeout: 90_000 }).toEqual([]);
    expect(await inStep(world, ['beta']), 'nothing is sent for a paused tenant').not.toEqual([]);

    expect((await world.fleet('resume', 'beta')).exitCode).toBe(0);
    await world.fleet('sync', 'beta');
    await expect.poll(() => inStep(world), { timeout: 90_000 }).toEqual([]);
    for (const words of [['list'], ['status']])
      expect((await world.fleet(...words)).exitCode, words.join(' ')).toBe(0);
    expect(await leftovers(world)).toEqual([{ count: 0 }]);
    expect(await second.stop()).toBe(0);
    expect(second.stderr()).not.toContain('"level":"error"');
  });

  test('an engine whose schema was dropped is made anew through the pooler', async () => {
    const world = await pooledFleet(['acme']);
    await world.start();
    await expect.poll(async () => (await world.status()).counts.ok, { timeout: 90_000 }).toBe(1);
    await world.database.query(`drop schema ${FLEET_SCHEMA}_jobs cascade`);
    await world.sources.edit('acme');
    const sent = async () => (await world.fleet('sync', 'acme')).exitCode;
    await expect.poll(sent, { timeout: 60_000 }).toBe(0);
    await expect.poll(() => inStep(world), { timeout: 90_000 }).toEqual([]);
  });
});

/** What the platform holds differently. */
async function inStep(world: FleetWorld, tenants = world.tenants): Promise<string[]> {
  return [...(await differences(world, tenants)).values()].flat();
}

/** A transaction that stays open would keep one of the few connections. */
const leftovers = ({ database }: FleetWorld) =>
  database.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database()
     and application_name = 'placement-sync' and state like 'idle in transaction%'
     and state_change < clock_timestamp() - interval '5 seconds'`,
  );
