import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerName } from '../../../src/domain/fleet.js';
import type { TenantReport } from '../../../src/fleet/fleet-report.js';
import { BUILT } from '../../chaos/chaos-world.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { createFleetWorld, type FleetWorld, ledgerOf } from './fleet-world.js';
import { differences } from './compare-platform.js';
import { type Feeder, openFeeder } from './keep-busy.js';
import { settle } from './settle.js';

/** Every table of a ledger, with all its rows. */
async function contents(
  { database: { query } }: FleetWorld,
  tenant: string,
): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = $1 and table_type = 'BASE TABLE' order by 1`,
    [ledgerOf(tenant)],
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(
      `select t::text as row from ${ledgerOf(tenant)}.${name} t order by t::text collate "C"`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

test('a run of one tenant leaves the ledgers of the others as they are, also where a bare name would find them', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta', 'gamma'] });
  const first = await world.start();
  const feeder = await openFeeder(world);
  expect(await settle(world, feeder)).toEqual([]);
  for (const tenant of ['beta', 'gamma']) expect((await world.fleet('pause', tenant)).exitCode).toBe(0);
  expect(await first.stop()).toBe(0);
  // From now on a statement that names no schema is one on the ledger of beta.
  await world.database.query(`alter database ${world.database.name} set search_path = ${ledgerOf('beta')}`);
  const before = { beta: await contents(world, 'beta'), gamma: await contents(world, 'gamma') };
  expect(Object.keys(before.beta)).toContain('sync_state');
  await world.start();
  for (let edits = 0; edits < 5; edits += 1) await world.sources.edit('acme');
  expect(await settle(world, feeder, ['acme'])).toEqual([]);
  await feeder.stop();
  expect({ beta: await contents(world, 'beta'), gamma: await contents(world, 'gamma') }).toEqual(before);
});

/** Two databases for ledgers, beside that of the fleet. */
async function openLedgers() {
  const databases = [await createTestDatabase(), await createTestDatabase()];
  onTestFinished(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });
  return new Map(databases.map((database) => [ledgerName(database.url), database]));
}

async function listed(world: FleetWorld, tenant: string): Promise<TenantReport | undefined> {
  const { stdout } = await world.fleet('list', '--json');
  return (JSON.parse(stdout) as { tenants: TenantReport[] }).tenants.find(({ name }) => name === tenant);
}

const hasLedger = async (database: TestDatabase, tenant: string): Promise<boolean> =>
  (await database.query('select 1 from pg_namespace where nspname = $1', [ledgerOf(tenant)])).length > 0;

/** What the platform holds differently once each tenant has run again, wherever the ledgers are. */
async function different(world: FleetWorld, feeder: Feeder): Promise<string[]> {
  await feeder.calm();
  const look = async () => {
    await feeder.send(world.tenants);
    return [...(await differences(world, world.tenants)).values()].flat();
  };
  await expect.poll(look, { timeout: 60_000, interval: 2_000 }).toEqual([]);
  return look();
}

/** `fleet move` as a process that is killed after so long. Gives its exit code; null: it was killed. */
async function moveAndKill(world: FleetWorld, tenant: string, to: string, afterMs: number) {
  const child = spawn(process.execPath, [BUILT, 'fleet', 'move', tenant, '--to', to], {
    cwd: world.folder,
    env: { PATH: process.env.PATH, ...world.env, ...world.sources.environment },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => void child.kill('SIGKILL'), afterMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return code;
}

test(
  'ledgers in several databases: a move that is killed again and again loses nothing and sends nothing anew',
  { timeout: 300_000 },
  async () => {
    const databases = await openLedgers();
    const tenants = ['acme', 'beta', 'gamma', 'delta'];
    const world = await createFleetWorld({
      tenants,
      size: { companies: 3, vacancies: 60 },
      ledgers: [...databases.values()].map(({ url }) => url),
    });
    const requests = { count: 0 };
    world.intercept = () => {
      requests.count += 1;
      return undefined;
    };
    await world.start();
    const feeder = await openFeeder(world);
    expect(await different(world, feeder)).toEqual([]);
    for (const tenant of tenants) {
      const { ledger = null } = (await listed(world, tenant)) ?? {};
      for (const [name, database] of databases)
        expect(await hasLedger(database, tenant)).toBe(name === ledger);
      expect(await hasLedger(world.database, tenant)).toBe(false);
    }

    const { ledger: from = '' } = (await listed(world, 'acme')) ?? {};
    const to = [...databases.keys()].find((name) => name !== from) ?? '';
    const busy = await openFeeder(world);
    busy.keepBusy(2);
    let ended: number | null = null;
    for (let afterMs = 300; ended === null && afterMs < 20_000; afterMs *= 1.15) {
      ended = await moveAndKill(world, 'acme', to, afterMs);
      const now = await listed(world, 'acme');
      expect([from, to]).toContain(now?.ledger);
    }
    expect(ended).toBe(0);
    expect(await world.fleet('move', 'acme', '--to', to)).toMatchObject({ exitCode: 0 });
    expect(await listed(world, 'acme')).toMatchObject({ ledger: to, movingTo: null });
    expect(await hasLedger(databases.get(from ?? '')!, 'acme')).toBe(false);
    expect(await hasLedger(databases.get(to)!, 'acme')).toBe(true);
    expect(await different(world, busy)).toEqual([]);
    await busy.stop();

    // Nothing has changed since: what is in the ledger that was moved is all that the next run needs.
    const back = await world.fleet('move', 'acme', '--to', ledgerName(world.database.url));
    expect(back.stdout + back.stderr).toContain('is in');
    expect(await hasLedger(world.database, 'acme')).toBe(true);
    requests.count = 0;
    const runs = () =>
      world.database.query(
        `select 1 from ${ledgerOf('acme')}.sync_run where outcome = 'complete' and started_at > $1`,
        [movedAt],
      );
    const movedAt = await world.now();
    await feeder.send(['acme']);
    await expect.poll(runs, { timeout: 30_000 }).not.toHaveLength(0);
    await wait(1_000);
    expect(requests.count).toBe(0);

    // A database that is away fails its own tenants, with the reason, and nobody else.
    const { ledger = '' } = (await listed(world, 'beta')) ?? {};
    const away = databases.get(ledger ?? '')?.name ?? '';
    await world.database.query(`alter database ${away} allow_connections false`);
    await world.database.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      away,
    ]);
    await world.sources.edit('acme');
    requests.count = 0;
    await feeder.send(['acme', 'beta']);
    const failing = async () =>
      (await world.status()).tenants
        .filter(({ state }) => state === 'failing')
        .map(({ name, reason }) => ({ name, reason }));
    await expect.poll(failing, { timeout: 30_000 }).toMatchObject([{ name: 'beta' }]);
    expect((await failing())[0]?.reason).toContain(away);
    await expect.poll(() => requests.count, { timeout: 30_000 }).toBeGreaterThan(0);
    await world.database.query(`alter database ${away} allow_connections true`);
    expect(await different(world, feeder)).toEqual([]);
    await feeder.stop();

    const refused = await world.fleet('move', 'beta', '--to', 'nowhere:5432/none');
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain(`It has: ${ledgerName(world.database.url)}, `);
    const purged = await world.fleet('remove', 'beta', '--purge', '--yes');
    expect(purged.stdout).toContain('its ledger is deleted');
    expect(await hasLedger(databases.get(ledger ?? '')!, 'beta')).toBe(false);
  },
);
