import { expect, test } from 'vitest';
import type { FleetReport } from '../../../../src/features/fleet/fleet-report.js';
import { startCli } from '../../../cli/run-cli.js';
import { createFleetWorld, ledgerOf } from './fleet-world.js';

test('the first steps of a fleet: migrate, apply, status before and after a replica starts, sync, list', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta', 'gamma'] });
  expect((await world.apply()).stdout).toBe('3 unchanged\n');
  const migrated = await world.fleet('migrate');
  expect(migrated).toMatchObject({ exitCode: 0 });
  expect(migrated.stdout).toContain('Ledgers: 3 migrated, 0 were up to date, 0 failed.');
  const waiting = await world.status();
  expect(waiting.counts).toMatchObject({ waiting: 3 });
  expect(waiting.replicas).toEqual([]);
  expect(waiting.jobs).toBeNull();
  expect(await world.database.query(`select 1 from pg_namespace where nspname = 'vendor_jobs'`)).toEqual([]);

  await world.start();
  const early = await world.fleet('status');
  expect(early).toMatchObject({ exitCode: 0 });
  expect(early.stdout).toContain('No tenant needs attention: ');
  await expect.poll(async () => (await world.status()).counts.ok).toBe(3);
  expect((await world.fleet('status')).stdout).toContain(
    'No tenant needs attention: 3 ok. Nothing is left to send.',
  );

  await world.sources.edit('beta');
  // Its last job may be ending just now.
  const sync = async () => (await world.fleet('sync', 'beta')).stdout;
  await expect.poll(sync).toContain('beta is in the line.');
  expect((await world.fleet('actions', '--limit', '1')).stdout).toMatch(
    / command +fleet sync +beta +- +done/,
  );
  const list = await world.fleet('list', '--json');
  const { tenants } = JSON.parse(list.stdout) as Pick<FleetReport, 'tenants'>;
  expect(tenants.map(({ name, schema }) => `${name} ${schema}`)).toEqual(
    world.tenants.map((tenant) => `${tenant} ${ledgerOf(tenant)}`),
  );
  for (const words of [
    ['sync', 'nobody'],
    ['pause', 'nobody'],
    ['remove', 'nobody', '--purge'],
  ]) {
    const { exitCode, stderr } = await world.fleet(...words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('The fleet has no tenant "nobody".');
  }
});

test('each command that changes the fleet leaves exactly one row, also when it fails, and actions lists them', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta'] });
  const actions = async () =>
    (
      JSON.parse((await world.fleet('actions', '--json')).stdout) as {
        actions: { action: string; via: string; keys: string[]; reason: string | null; outcome: string }[];
      }
    ).actions;
  const calls: readonly (readonly [words: readonly string[], row: object])[] = [
    [['migrate'], { action: 'fleet migrate', keys: [] }],
    [['apply', 'tenants'], { action: 'fleet apply', counts: { added: 0, changed: 0, removed: 0 } }],
    [['add', 'tenants/acme.yaml'], { action: 'fleet add', keys: ['acme'] }],
    [['pause', 'acme'], { action: 'fleet pause', keys: ['acme'] }],
    [['resume', 'acme'], { action: 'fleet resume', keys: ['acme'] }],
    [['resume', '--client-id', 'nobody'], { action: 'fleet resume', keys: ['nobody'], outcome: 'nothing' }],
    [['move', 'acme', '--to', 'fleet'], { action: 'fleet move', keys: ['acme'], outcome: 'nothing' }],
    [['pause', 'nobody'], { action: 'fleet pause', keys: ['nobody'], outcome: 'failed: usage' }],
    [['remove', 'beta'], { action: 'fleet remove', keys: ['beta'] }],
    [['remove', 'beta', '--purge', '--yes'], { action: 'fleet remove --purge', keys: ['beta'] }],
  ];
  for (const [words, row] of calls) {
    const had = await actions();
    await world.fleet(...words, '--reason', 'why not');
    const [latest, ...others] = await actions();
    expect(others, words.join(' ')).toEqual(had);
    expect(latest).toMatchObject({ via: 'command', reason: 'why not', outcome: 'done', ...row });
  }
  const had = await actions();
  // Nobody is there to answer.
  expect((await world.fleet('remove', 'acme', '--purge')).exitCode).toBe(2);
  expect((await world.fleet('list')).exitCode).toBe(0);
  expect(await actions()).toEqual(had);
});

test('add takes in one tenant or changes it, and leaves the others, also those whose file is gone', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta'] });
  world.unlink('beta');
  await world.sources.add('gamma');
  world.write('gamma');
  const add = () => world.fleet('add', 'tenants/gamma.yaml');
  expect(await add()).toMatchObject({
    exitCode: 0,
    stdout: '1 added: gamma\nNew tenants run as soon as a replica has a free slot.\n',
  });
  expect((await add()).stdout).toBe('1 unchanged\n');
  world.write('gamma', { titleSuffix: ' (baru)' });
  expect((await add()).stdout).toBe('1 changed: gamma\n');
  const { tenants } = JSON.parse((await world.fleet('list', '--json')).stdout) as Pick<
    FleetReport,
    'tenants'
  >;
  expect(tenants.map(({ name }) => name)).toEqual(['acme', 'beta', 'gamma']);
  const { exitCode, stderr } = await world.fleet('add', 'tenants/nobody.yaml');
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('nobody.yaml') as string,
  });
});

test('status shows the tenants also when the queue is broken, and does not mend it', async () => {
  const world = await createFleetWorld({ tenants: ['acme'] });
  const replica = await world.start();
  await expect.poll(async () => (await world.status()).counts.ok).toBe(1);
  // The job ends a moment after its run.
  await expect
    .poll(async () => (await world.status()).jobs)
    .toMatchObject({ sync: { active: 0 }, large: { active: 0 } });
  await replica.stop();
  const breaks = [
    'drop function vendor_jobs.create_queue cascade',
    'alter table vendor_jobs.queue rename column name to other',
    'drop schema vendor_jobs cascade',
  ];
  for (const [broken, sql] of breaks.entries()) {
    await world.database.query(sql);
    const { exitCode, stdout, stderr } = await world.fleet('status', '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { jobs, tenants } = JSON.parse(stdout) as FleetReport;
    expect(tenants).toMatchObject([{ name: 'acme', state: 'ok' }]);
    // The counts need the table of jobs alone.
    if (broken > 1) expect(jobs).toBeNull();
    else expect(jobs).toMatchObject({ sync: { active: 0 }, large: { active: 0 } });
  }
  expect(await world.fleet('status')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('No tenant needs attention: 1 ok.') as string,
  });
  expect(await world.database.query(`select 1 from pg_namespace where nspname = 'vendor_jobs'`)).toEqual([]);
});

test('without its tables the fleet says which command makes them', async () => {
  const world = await createFleetWorld({ tenants: ['acme'] });
  await world.database.query('drop schema vendor cascade');
  const env = { ...world.env, ...world.sources.environment };
  const { exitCode, stderr } = await startCli(['fleet', 'start'], { env, cwd: world.folder }).done;
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Run: placement-sync fleet migrate');
});

test('when the platform asks one tenant to wait for an hour, the others do not ask again', async () => {
  const world = await createFleetWorld({ tenants: ['acme', 'beta'] });
  world.intercept = () => ({
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { message: 'Too many requests' },
  });
  await world.start();
  // Also one that was under way, and would wait for its time to send until then.
  await expect.poll(async () => (await world.status()).counts.failing).toBe(2);
  const asked = world.sandbox.requests().length;
  for (const tenant of world.tenants) {
    await world.sources.edit(tenant);
    expect((await world.fleet('sync', tenant)).exitCode).toBe(0);
  }
  const messages = async () => (await world.status()).tenants.map(({ lastRun }) => lastRun?.message ?? '');
  const keptBack = async () =>
    (await messages()).filter((message) => message.includes('asked all that use this client id to wait'));
  await expect.poll(async () => (await keptBack()).length).toBe(2);
  expect(world.sandbox.requests()).toHaveLength(asked);

  const [pause] = (await world.status()).pauses;
  const { clientId = '', origin = '' } = pause ?? {};
  expect(new Date(pause?.until ?? NaN).getTime() - Date.now()).toBeLessThanOrEqual(300_000);
  expect((await world.fleet('status')).stdout).toContain(`Pause: ${origin} asked the client id ${clientId}`);
  expect(await world.fleet('resume')).toMatchObject({ exitCode: 2 });
  expect((await world.fleet('resume', '--client-id', 'nobody')).stdout).toContain('No platform has asked');
  world.intercept = () => undefined;
  expect(await world.fleet('resume', '--client-id', clientId)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`at ${origin} has ended`) as string,
  });
  expect((await world.status()).pauses).toEqual([]);
  for (const tenant of world.tenants) expect((await world.fleet('sync', tenant)).exitCode).toBe(0);
  await expect.poll(async () => (await world.status()).counts.ok).toBe(2);
});
