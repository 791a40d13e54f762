import { expect, test } from 'vitest';
import { planted } from '../../../security/planted.js';
import { createFleetWorld, FLEET_SCHEMA, type FleetWorld, ledgerOf } from './fleet-world.js';
import { openFeeder } from './keep-busy.js';
import { differences } from './compare-platform.js';
import { ledgerRuns, overlaps } from './ledger-runs.js';

/** What the fleet promises for a tenant that is removed, paused or changed during its run. */
const STOPS_MS = 15_000;

/** How one tenant stands, as `fleet status --json` has it. */
async function tenantIn(world: FleetWorld, name: string) {
  return (await world.status()).tenants.find((tenant) => tenant.name === name);
}

async function inStep(world: FleetWorld, tenants: readonly string[]): Promise<void> {
  // A tenant's next job may be one for its second of the next minute.
  await expect
    .poll(async () => [...(await differences(world, tenants)).values()].flat(), { timeout: 150_000 })
    .toEqual([]);
}

test('a tenant that is added runs; one that is changed runs with its new file; paused and removed ones stop, and their ledgers stay', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta'], rate: 60 });
  const { query } = world.database;
  // A replica knows the variables that it was started with.
  await world.sources.add('large', { companies: 5, vacancies: 4_000 });
  const feeder = await openFeeder(world);
  await world.start();
  await world.start();
  await inStep(world, ['acme', 'beta']);

  // One more, with a first load that takes long; it runs within the next look at the table of tenants.
  world.write('large', { period: '1h' });
  expect((await world.apply()).stdout).toContain('1 added: large');
  const running = async (name: string) => (await tenantIn(world, name))?.running ?? null;
  await expect.poll(() => running('large')).not.toBeNull();
  const sentOf = async () => (await differences(world, ['large'])).get('large')?.length ?? 0;

  // Paused in the middle.
  expect((await world.fleet('pause', 'large')).exitCode).toBe(0);
  await expect.poll(() => running('large'), { timeout: STOPS_MS }).toBeNull();
  expect((await tenantIn(world, 'large'))?.state).toBe('paused');
  const left = await sentOf();
  expect(left).toBeGreaterThan(0);
  expect((await world.fleet('sync', 'large')).exitCode).toBe(2);
  expect(await sentOf()).toBe(left);
  expect((await world.fleet('resume', 'large')).exitCode).toBe(0);
  expect((await world.fleet('sync', 'large')).exitCode).toBe(0);
  await expect.poll(sentOf).toBeLessThan(left);

  // Changed in the middle: the run ends, and the next one has the new file.
  const { runs } = await runsOf(world, 'large');
  world.write('large', { period: '30m', titleSuffix: ', now' });
  expect((await world.apply()).stdout).toContain('1 changed: large');
  await expect
    .poll(async () => (await runsOf(world, 'large')).runs, { timeout: STOPS_MS + 10_000 })
    .toBeGreaterThan(runs);
  expect((await tenantIn(world, 'large'))?.periodMs).toBe(1_800_000);
  const titles = () =>
    world.sandbox.records('jobs', 'vacancies').map(({ body }) => (body as { readonly title: string }).title);
  await expect.poll(() => titles().some((title) => title.endsWith(', now'))).toBe(true);

  // Removed in the middle.
  await expect.poll(() => running('large')).not.toBeNull();
  expect((await world.fleet('remove', 'large')).exitCode).toBe(0);
  const replicaOf = async () =>
    (
      await query<{ replica: string | null }>(
        `select running_replica as replica from vendor.tenant where name = 'large'`,
      )
    )[0]?.replica ?? null;
  await expect.poll(replicaOf, { timeout: STOPS_MS }).toBeNull();
  const ended = await runsOf(world, 'large');
  expect(await tenantIn(world, 'large')).toBeUndefined();
  await feeder.send(['large']);
  const records = async () =>
    (await query<{ count: number }>(`select count(*)::int as count from ${ledgerOf('large')}.sync_state`))[0]
      ?.count;
  expect(await records()).toBe(4_005);
  for (const tenant of ['acme', 'beta']) await world.sources.edit(tenant);
  await inStep(world, ['acme', 'beta']);
  expect(await runsOf(world, 'large')).toEqual(ended);

  // And its ledger.
  const refused = await world.fleet('remove', 'large', '--purge');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toContain(`--purge deletes the ledger of large, the schema "${ledgerOf('large')}"`);
  expect(refused.stderr).toContain('placement-sync fleet remove large --purge --yes');
  expect(await records()).toBe(4_005);
  const purged = await world.fleet('remove', 'large', '--purge', '--yes');
  expect(purged).toMatchObject({ exitCode: 0 });
  expect(purged.stdout).toContain('large is removed, and its ledger is deleted.\n');
  expect(await query('select 1 from pg_namespace where nspname = $1', [ledgerOf('large')])).toEqual([]);
  world.unlink('large');
  expect((await world.apply()).stdout).toContain('2 unchanged');
  await feeder.stop();
  expect(overlaps(await ledgerRuns(world, ['acme', 'beta']), world.replicas)).toEqual([]);
});

async function runsOf(world: FleetWorld, tenant: string): Promise<{ runs: number }> {
  return { runs: (await ledgerRuns(world, [tenant])).length };
}

test('a file with a variable of another tenant or of the fleet is not taken in; one that is stored fails alone', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta'], slots: 2 });
  world.write('beta', { secret: '${ACME_SOURCE_PASSWORD}' });
  const refused = await world.apply();
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(
    /tenants\/beta\.yaml:\d+: platform\.jobs\.clientSecret: this tenant may not use ACME_SOURCE_PASSWORD; name the variable BETA_/,
  );
  world.write('beta', { secret: '${FLEET_DATABASE_URL:-}' });
  expect((await world.fleet('add', 'tenants/beta.yaml')).stderr).toContain(
    "no tenant may use FLEET_DATABASE_URL, because the fleet's own file does",
  );

  await world.database.query(
    `update ${FLEET_SCHEMA}.tenant set configuration = replace(configuration, 'CLIENT_SECRET', 'FLEET_DATABASE_URL')
     where name = 'beta'`,
  );
  await world.start();
  await inStep(world, ['acme']);
  const beta = async () => (await world.status()).tenants.find(({ name }) => name === 'beta');
  await expect.poll(async () => (await beta())?.state).toBe('failing');
  expect(JSON.stringify(await beta())).toContain('no tenant may use FLEET_DATABASE_URL');
});

test('a tenant without its variable and one whose source is away are named with the reason, and hold up nobody', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta'], slots: 2 });
  for (const name of ['broken', 'away', 'wrong', 'off']) await world.sources.add(name);
  world.write('broken', { secret: '${BROKEN_SECRET}' });
  world.write('away', { sourceUrl: 'postgres://reader:${AWAY_SOURCE_PASSWORD}@127.0.0.1:1/none' });
  world.write('wrong', { secret: '${WRONG_SECRET}' });
  world.write('off', { enabled: false });
  world.env.WRONG_SECRET = planted('wrong');
  expect((await world.apply()).exitCode).toBe(0);
  await world.start();
  await inStep(world, ['acme', 'beta']);
  const states = async () =>
    Object.fromEntries((await world.status()).tenants.map(({ name, state }) => [name, state]));
  await expect.poll(states).toMatchObject({
    ...{ acme: 'ok', beta: 'ok', off: 'disabled' },
    ...{ broken: 'failing', away: 'failing', wrong: 'failing' },
  });
  const { stdout } = await world.fleet('status');
  expect(stdout).toContain('3 of 6 tenants need attention');
  const lineOf = (name: string) => stdout.split('\n').find((line) => line.startsWith(`${name}: `)) ?? '';
  expect(lineOf('broken')).toContain('BROKEN_SECRET');
  expect(lineOf('away')).toContain('source database');
  expect(lineOf('wrong')).toMatch(/401|credentials|signature/i);
  expect((await tenantIn(world, 'broken'))?.lastRun?.exitCode).toBe(2);

  // The others go on, and a corrected one does with its next run.
  for (const tenant of ['acme', 'beta']) await world.sources.edit(tenant);
  world.write('broken');
  world.write('away');
  expect((await world.apply()).stdout).toContain('2 changed: away, broken');
  for (const tenant of ['acme', 'beta', 'broken', 'away'])
    expect((await world.fleet('sync', tenant)).exitCode).toBe(0);
  await inStep(world, ['acme', 'beta', 'broken', 'away']);
});
