import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, dropSchema, type TestDatabase } from '../../../postgres/test-database.js';
import { migrate } from '../../../../src/core/ledger/database/migrate.js';
import {
  createStateDatabase,
  type StateDatabase,
} from '../../../../src/core/ledger/database/state-database.js';
import { createTenants, FLEET_SCHEMA } from '../../../../src/features/fleet/state/tenants.js';
import { tenant } from '../state/open-fleet.js';

const SCHEMA = 'fleet';
const JOBS = 'fleet_jobs';
const TENANTS = ['a', 'b', 'c', 'd', 'e', 'f'];
/** What the fleet promises for the tenants of a killed replica. */
const TAKE_OVER_MS = 30_000;

interface Replica {
  readonly name: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<unknown>;
}

let database: TestDatabase;
let state: StateDatabase;
const tenants = () => createTenants(state);
const replicas: Replica[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  state = createStateDatabase({ url: database.url, poolMax: 2, schema: SCHEMA });
  await migrate(state, { kind: FLEET_SCHEMA });
  await database.query(`create table run (id int generated always as identity, tenant text, replica text,
    alone boolean, began_at timestamptz default now(), ended_at timestamptz)`);
  await tenants().apply(
    TENANTS.map((name) => tenant(name, { periodMs: 60_000 })),
    { removeOthers: true },
  );
});
afterEach(async () => {
  replicas.forEach(({ child }) => child.kill('SIGKILL'));
  await Promise.all(replicas.splice(0).map(({ exited }) => exited));
  await state.close();
});

function start(name: string, slots = 4, sliceMs = 300): Replica {
  const script = new URL('replica-process.ts', import.meta.url).pathname;
  const args = ['--import', 'tsx', script, database.url, SCHEMA, name, String(slots), String(sliceMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const replica = { name, child, output: () => output, exited: once(child, 'exit') };
  replicas.push(replica);
  return replica;
}

/** Tenants that a replica has run, or any replica; since a moment of the database's clock. */
const ranBy = async (replica: string | null, since = '-infinity'): Promise<string[]> =>
  (
    await database.query<{ tenant: string }>(
      `select distinct tenant from run where replica = coalesce($1, replica) and began_at > $2::timestamptz
       order by tenant`,
      [replica, since],
    )
  ).map(({ tenant }) => tenant);
const running = async (replica: string): Promise<string[]> =>
  (
    await database.query<{ tenant: string }>(
      'select tenant from run where replica = $1 and ended_at is null order by tenant',
      [replica],
    )
  ).map(({ tenant }) => tenant);
const now = async () => (await database.query<{ now: string }>('select now()::text'))[0]?.now ?? '';
const twice = () => database.query('select * from run where not alone');

test('two replicas share the tenants; the tenants of a killed one run again within 30 s, and never two at once', async () => {
  const one = start('one', 4, 1_000);
  start('two', 4, 1_000);
  await expect.poll(() => ranBy(null)).toEqual(TENANTS);
  await expect.poll(() => ranBy('two').then(({ length }) => length)).toBeGreaterThan(0);
  await expect.poll(() => running('one').then(({ length }) => length)).toBeGreaterThan(0);
  one.child.kill('SIGKILL');
  await one.exited;
  const killedAt = await now();
  const orphans = await running('one');
  expect(orphans).not.toEqual([]);
  await expect
    .poll(() => ranBy('two', killedAt), { timeout: TAKE_OVER_MS })
    .toEqual(expect.arrayContaining(orphans));
  await expect.poll(() => ranBy('two', killedAt), { timeout: TAKE_OVER_MS }).toEqual(TENANTS);
  expect(await twice()).toEqual([]);
});

test('SIGTERM ends the slices of a replica in order and hands its tenants to another one at once', async () => {
  const one = start('one', 6, 600_000);
  await expect.poll(() => running('one')).toEqual(TENANTS);
  one.child.kill('SIGTERM');
  expect(await one.exited).toEqual([0, null]);
  expect(await running('one')).toEqual([]);
  const jobs = await database.query<{
    job: string;
  }>(`select singleton_key || ' ' || state || ' ' || retry_count as job
    from ${JOBS}.job where name = 'sync' and state <> 'completed' order by 1`);
  // Nobody had to wait for the end of their signs of life.
  expect(jobs.map(({ job }) => job)).toEqual(TENANTS.map((tenant) => `${tenant} created 0`));
  start('two', 6, 600_000);
  await expect.poll(() => running('two')).toEqual(TENANTS);
  expect(await twice()).toEqual([]);
});

test('a tenant that is paused stops, the others go on, and it runs again when it is resumed', async () => {
  start('one', 6, 2_000);
  await expect.poll(() => ranBy(null)).toEqual(TENANTS);
  await tenants().setPaused('a', true);
  await expect.poll(() => running('one')).not.toContain('a');
  const pausedAt = await now();
  // Those that go on, at once.
  const timeout = 150_000;
  await expect.poll(() => ranBy('one', pausedAt), { timeout }).toEqual(TENANTS.slice(1));
  expect(await ranBy('one', pausedAt)).not.toContain('a');
  await tenants().setPaused('a', false);
  await expect.poll(() => ranBy('one', pausedAt), { timeout }).toContain('a');
}, 360_000);

test('replicas survive the loss of the schema of the engine, and all tenants run again', async () => {
  start('one');
  start('two');
  await expect.poll(() => ranBy(null)).toEqual(TENANTS);
  await dropSchema(database, JOBS);
  const droppedAt = await now();
  await expect.poll(() => ranBy(null, droppedAt)).toEqual(TENANTS);
  expect(replicas.map(({ child }) => child.exitCode)).toEqual([null, null]);
});

test('replicas that are killed one after the other condemn no tenant that gets something done', async () => {
  start('one', 6, 600_000);
  await expect.poll(() => running('one')).toEqual(TENANTS);
  for (const [killed, next] of [
    ['one', 'two'],
    ['two', 'three'],
    ['three', 'four'],
  ] as const) {
    // As long as it takes to say that something was done.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const killedAt = await now();
    replicas.find(({ name }) => name === killed)?.child.kill('SIGKILL');
    start(next, 6, 600_000);
    await expect.poll(() => ranBy(next, killedAt), { timeout: TAKE_OVER_MS }).toEqual(TENANTS);
  }
  expect((await tenants().list()).map(({ lastRun }) => lastRun)).toEqual(TENANTS.map(() => null));
  expect(await twice()).toEqual([]);
});

test('a tenant that ends every replica is found, alone, and the others go on', async () => {
  await tenants().apply([tenant('poison', { periodMs: 60_000 })], { removeOthers: false });
  let count = 0;
  const over = new AbortController();
  // As a supervisor does, such as Kubernetes.
  const keep = async (): Promise<void> => {
    while (!over.signal.aborted) await start(`r${String(count++)}`, 3, 500).exited;
  };
  const kept = [keep(), keep()];
  const lastRunOf = async (name: string) =>
    (await tenants().list()).find((each) => each.name === name)?.lastRun;
  try {
    await expect
      .poll(async () => (await lastRunOf('poison'))?.message, { timeout: 120_000 })
      .toContain('3 replicas in a row ended during its run');
    const condemnedAt = await now();
    await expect.poll(() => ranBy(null, condemnedAt)).toEqual(expect.arrayContaining(TENANTS));
    // It comes back after half a minute, not after its period.
    await expect.poll(() => ranBy(null, condemnedAt), { timeout: 50_000 }).toContain('poison');
    for (const name of TENANTS) expect(await lastRunOf(name), name).toMatchObject({ exitCode: 0 });
  } finally {
    over.abort();
    replicas.forEach(({ child }) => child.kill('SIGKILL'));
    await Promise.all(kept);
  }
  expect(await twice()).toEqual([]);
}, 300_000);
