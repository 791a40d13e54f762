import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerName } from '../../../../src/features/fleet/config/tenant-variables.js';
import type { FleetReport } from '../../../../src/features/fleet/fleet-report.js';
import { startCli } from '../../../cli/run-cli.js';
import { onServer } from '../../../postgres/test-database.js';
import { createRandom } from '../../../random.js';
import { createFleetWorld, type FleetWorld, ledgerOf, manyTenants } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { ledgerRuns, overlaps } from './ledger-runs.js';
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

/** Each tenant with the database of its ledger, as `fleet list` says. */
async function places(world: FleetWorld): Promise<Record<string, string | null>> {
  const { tenants } = JSON.parse((await world.fleet('list', '--json')).stdout) as Pick<
    FleetReport,
    'tenants'
  >;
  return Object.fromEntries(tenants.map(({ name, ledger }) => [name, ledger]));
}

/** What `fleet list` calls the database that a person calls so. */
const placeOf = ({ ledgers }: FleetWorld, to: string): string =>
  to === 'fleet' ? to : ledgerName(ledgers[Number(to) - 1]?.url ?? '');

/** How the tenants stand, without the lines of those that are well. */
const ailing = async (world: FleetWorld) =>
  (await world.status()).tenants.filter(({ state }) => state === 'failing').map(({ name }) => name);

test('ledgers are spread over two databases; while one is away, or not listed, its tenants fail and the others go on', async () => {
  const world = await createFleetWorld({ tenants: manyTenants(6), ledgers: 2 });
  expect((await world.fleet('migrate')).stdout).toContain(
    'Ledgers: 6 migrated, 0 were up to date, 0 failed.',
  );
  expect((await world.fleet('migrate')).stdout).toContain(
    'Ledgers: 0 migrated, 6 were up to date, 0 failed.',
  );
  const placed = await places(world);
  expect(new Set(Object.values(placed)).size).toBe(2);
  const [one, two] = world.ledgers;
  if (!one || !two) throw new Error('two databases were asked for');
  const of = ({ name }: { readonly name: string }) =>
    world.tenants.filter((tenant) => placed[tenant]?.endsWith(`/${name}`) === true);
  expect(await world.database.query(`select 1 from pg_namespace where nspname like 'tenant%'`)).toEqual([]);
  await world.start();
  const feeder = await openFeeder(world);
  expect(await settle(world, feeder)).toEqual([]);
  expect((await world.fleet('list')).stdout).toContain(placed.t000 ?? '');
  expect((await world.fleet('status')).stdout).toMatch(new RegExp(`\\(${of(two).length} tenants?\\)`));

  // Away.
  const rename = (from: string, to: string) =>
    onServer(async (server) => {
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from]);
      await server.query(`alter database ${from} rename to ${to}`);
    });
  const away = `${two.name}_away`;
  await expect
    .poll(() =>
      rename(two.name, away).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  onTestFinished(() => rename(away, two.name).catch(() => undefined));
  for (const tenant of world.tenants) await world.sources.edit(tenant);
  await feeder.send(world.tenants);
  // The worst come first, which says nothing about their names.
  await expect.poll(async () => (await ailing(world)).toSorted(), { timeout: 60_000 }).toEqual(of(two));
  const { tenants } = await world.status();
  expect(tenants[0]?.reason).toContain(`The ledger database `);
  expect(await settle(world, feeder, of(one))).toEqual([]);
  const part = await world.fleet('migrate');
  expect(part).toMatchObject({ exitCode: 1 });
  expect(part.stdout).toContain(`${of(one).length} were up to date, ${of(two).length} failed.`);
  await rename(away, two.name);
  await wait(20_000);
  expect(await settle(world, feeder)).toEqual([]);
  expect(await ailing(world)).toEqual([]);
  await feeder.stop();
  await world.replicas[0]?.stop();

  // Not listed any more: refused, and no ledger is made elsewhere.
  world.env.LEDGER_1 = world.sources.database.url;
  expect(await places(world)).toEqual(placed);
  expect((await world.apply()).stdout).toBe('6 unchanged\n');
  await world.start();
  await world.fleet('sync', of(two)[0] ?? '');
  await expect.poll(async () => (await ailing(world)).length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect((await world.status()).tenants[0]?.reason).toContain(
    'which is not in fleet.ledgers. Add its address there again.',
  );
  expect(
    await world.sources.database.query(`select 1 from pg_namespace where nspname like 'tenant%'`),
  ).toEqual([]);

  // A purge deletes the ledger where it is.
  const gone = of(one)[0] ?? '';
  await world.fleet('remove', gone);
  // A run under way ends within seconds, and is refused until then.
  const purge = async () => (await world.fleet('remove', gone, '--purge', '--yes')).stdout;
  await expect.poll(purge, { timeout: 30_000 }).toContain(`${gone} is removed, and its ledger is deleted.`);
  expect(await one.query('select 1 from pg_namespace where nspname = $1', [ledgerOf(gone)])).toEqual([]);
}, 240_000);

const ROUNDS = Number(process.env.FLEET_MOVES ?? 14);

test('ledgers move while everything runs, and moves are killed at any moment: nothing is lost, made twice, or sent again', async () => {
  const world = await createFleetWorld({ tenants: manyTenants(4), ledgers: 2, slots: 2 });
  await world.start();
  await world.start();
  const feeder = await openFeeder(world);
  expect(await settle(world, feeder)).toEqual([]);
  feeder.keepBusy(2);
  const random = createRandom(11);
  /** Moves that ended, and those that were killed: before they began, before the change of the row, after it, at their end. */
  const ended = { whole: 0, before: 0, copying: 0, changed: 0, over: 0 };
  // How long a move takes depends on the machine, so it goes on, and later, until one was killed while it copied.
  for (let round = 0; round < ROUNDS || (ended.copying === 0 && round < 5 * ROUNDS); round += 1) {
    const tenant = random.pick(world.tenants);
    const now = (await places(world))[tenant];
    const to = random.pick(['1', '2', 'fleet'].filter((word) => placeOf(world, word) !== now));
    const move = startCli(['fleet', 'move', tenant, '--to', to], {
      ...{ env: { ...world.env, ...world.sources.environment }, cwd: world.folder },
    });
    const killAt = setTimeout(() => move.child.kill('SIGKILL'), 250 + random.integer(0, 450 + 60 * round));
    const { exitCode, stderr } = await move.done;
    clearTimeout(killAt);
    if (exitCode !== null) expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    // Some are repeated, some are undone, and some wait for the next round.
    const { tenants } = await world.status();
    const cut = tenants.find(({ name }) => name === tenant);
    const isThere = cut?.ledger === placeOf(world, to);
    if (exitCode !== null) ended.whole += 1;
    else if (cut?.movingTo) ended[isThere ? 'changed' : 'copying'] += 1;
    else ended[isThere ? 'over' : 'before'] += 1;
    if (cut?.movingTo && random.pick([true, false])) {
      expect((await world.fleet('resume', tenant)).exitCode).toBe(2);
      const again = await world.fleet('move', tenant, '--to', random.pick([cut.movingTo, cut.ledger ?? '']));
      expect(again).toMatchObject({ exitCode: 0 });
    }
  }
  for (const { name, movingTo } of (await world.status()).tenants)
    if (movingTo !== null)
      expect(await world.fleet('move', name, '--to', movingTo)).toMatchObject({ exitCode: 0 });
  expect(await settle(world, feeder)).toEqual([]);
  await feeder.stop();
  process.stdout.write(`moves, and when they were killed: ${JSON.stringify(ended)}\n`);
  expect(ended.copying).toBeGreaterThan(0);
  expect(await overlapping(world)).toEqual([]);
  const made = world.sandbox.requests().filter(({ status }) => status === 201);
  expect(new Set(made.map(({ path }) => path)).size).toBe(made.length);

  // A further run of each finds nothing to send.
  world.sandbox.clearRequests();
  for (const tenant of world.tenants) await world.fleet('sync', tenant);
  await expect
    .poll(async () => (await world.status()).jobs)
    .toMatchObject({ sync: { ready: 0, active: 0 }, large: { ready: 0, active: 0 } });
  expect(world.sandbox.requests()).toEqual([]);
}, 300_000);

/** Runs of one tenant at the same time; the rows of its runs move with the ledger. */
async function overlapping(world: FleetWorld): Promise<string[]> {
  return overlaps(await ledgerRuns(world, world.tenants), world.replicas);
}

test('a replica that is stopped during a run, while the ledger moves, does nothing when it goes on', async () => {
  const world = await createFleetWorld({ tenants: ['acme'], ledgers: 1, file: { readSeconds: 3 } });
  const [zombie] = [await world.start()];
  const feeder = await openFeeder(world);
  expect(await settle(world, feeder)).toEqual([]);
  const old = await places(world);
  await world.sources.edit('acme');
  await feeder.send(['acme']);
  await expect.poll(async () => (await world.status()).counts.running).toBe(1);
  process.kill(zombie.pid, 'SIGSTOP');
  try {
    const moved = await world.fleet('move', 'acme', '--to', 'fleet');
    expect(moved).toMatchObject({ exitCode: 0 });
    expect(moved.stdout).toContain('The ledger of acme is in fleet now: ');
    await world.start();
    await world.sources.edit('acme');
    await wait(20_000);
  } finally {
    process.kill(zombie.pid, 'SIGCONT');
  }
  await wait(5_000);
  expect(await settle(world, feeder)).toEqual([]);
  await feeder.stop();
  expect(await places(world)).not.toEqual(old);
  expect(
    await world.ledgers[0]?.query(
      `select table_name as name from information_schema.tables where table_schema = 'tenant_acme'`,
    ),
  ).toEqual([{ name: 'migration' }]);
  const made = world.sandbox.requests().filter(({ status }) => status === 201);
  expect(new Set(made.map(({ path }) => path)).size).toBe(made.length);
}, 180_000);
