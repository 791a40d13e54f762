import pg from 'pg';
import { expect, test } from 'vitest';
import {
  addCompanies,
  addVacancies,
  createCliWorld,
  type CliWorld,
  configureWorker,
} from '../cli/cli-world.js';
import { listening, type RunningCli } from '../cli/run-cli.js';
import { usePgBouncer } from './start-pgbouncer.js';

/** Fewer than either of the worker's pools has, and than two workers hold leases with. */
const POOL_SIZE = 3;

const through = usePgBouncer(POOL_SIZE);

/** A world whose worker reaches both databases only through the pooler. */
async function pooledWorld(options: { migrated?: boolean } = {}): Promise<CliWorld> {
  const world = await createCliWorld(options);
  const direct = world.env.SOURCE_DATABASE_URL ?? '';
  world.env.SOURCE_DATABASE_URL = through(direct);
  world.configure('state: {', `state: { url: '${through(direct)}',`);
  world.configure('leaseTtl: 8s', 'leaseTtl: 3s');
  return world;
}

/** What a session SET or a server-side prepared statement would leave on a connection that others get next. */
const leftovers = (world: CliWorld) =>
  world.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database()
     and application_name = 'placement-sync' and state like 'idle in transaction%'`,
  );

test('migrate, run, changes, a guard, retry, verify and resync work through the pooler', async () => {
  const world = await pooledWorld({ migrated: false });
  await addCompanies(world, 30);
  await addVacancies(world, 200);
  expect((await world.cli('run')).exitCode, 'the schema is not there yet').toBe(2);
  expect((await world.cli('migrate')).stdout).toContain('0001');
  expect((await world.cli('migrate')).stdout).toContain('up to date');
  expect(await world.run()).toMatchObject({
    code: 0,
    outcome: 'complete',
    entities: { companies: { accepted: 30 }, vacancies: { accepted: 200 } },
  });

  await world.sql(`update company set about = 'edited' where id = 'c001'`);
  await world.sql(`delete from vacancy where id = 'v001'`);
  expect(await world.run()).toMatchObject({
    code: 0,
    entities: { companies: { changed: 1, sent: 1 }, vacancies: { vanished: 1, sent: 0 } },
  });
  await world.sql(`delete from vacancy where id > 'v100'`);
  expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { held: true } } });
  expect((await world.cli('approve', 'vacancies', '--yes')).exitCode).toBe(0);
  expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { vanished: 100 } } });

  const resync = await world.cli('resync', '--json');
  expect(JSON.parse(resync.stdout)).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 30, accepted: 30 }, vacancies: { sent: 99, accepted: 99 } },
  });
  for (const command of [['plan'], ['retry'], ['status'], ['explain', 'companies', 'c001']]) {
    const { exitCode, stderr } = await world.cli(...command);
    expect({ exitCode, stderr }, command.join(' ')).toMatchObject({ exitCode: 0 });
  }
  const verified = await world.cli('verify', '--all', '--json');
  expect(verified.exitCode, verified.stderr).toBe(0);
  expect(await leftovers(world)).toEqual([{ count: 0 }]);
});

test('a read that fails is told as without the pooler, and spoils nothing for the next one', async () => {
  const world = await pooledWorld();
  await addCompanies(world, 3);
  const query = "select id as key, name, city as region_id, 1 / (id = 'c000')::int as about from company";
  world.write('companies.sql', query);
  const failed = await world.run();
  expect(failed).toMatchObject({
    code: 1,
    entities: { companies: { vanished: 0, error: { code: 'query-failed' } }, vacancies: { error: null } },
  });
  world.write('companies.sql', 'select id as key, name, city as region_id from company');
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { accepted: 3 } } });
  // Settings of a read are those of its transaction: others that get the connection next have their own.
  const other = await pooledQuery(world, 'show timezone');
  expect(other).toEqual([{ TimeZone: 'UTC' }]);
});

test('SIGTERM cancels a read through the pooler', async () => {
  const world = await pooledWorld();
  world.write('companies.sql', 'select id as key, name, city as region_id from company, pg_sleep(90)');
  await addCompanies(world, 1);
  const run = world.start('run', '--json');
  const sleeping = async () =>
    (
      await world.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).length;
  await expect.poll(sleeping, { timeout: 60_000 }).toBe(1);
  run.child.kill('SIGTERM');
  expect(await run.done).toMatchObject({ exitCode: 1 });
  await expect.poll(sleeping, { timeout: 60_000 }).toBe(0);
});

test('start sweeps, takes applications, is killed, and another one takes over', async () => {
  const world = await pooledWorld();
  configureWorker(world);
  await addCompanies(world, 2);
  await addVacancies(world, 1);
  const first = world.start('start');
  await world.requested(3);
  const second = world.start('start');
  await expect.poll(() => second.stderr(), { timeout: 60_000 }).toContain('Standing by');
  const [vacancy] = world.sandbox.records('jobs', 'vacancies');
  const apply = async (worker: RunningCli, email: string) => {
    const to = await listening(worker, 'webhook');
    return (await world.sandbox.sendApplication({ to, vacancyId: vacancy?.id ?? '', email })).status;
  };
  expect(await apply(first, 'first@example.com')).toBe(200);
  expect(await apply(second, 'second@example.com')).toBe(200);

  first.child.kill('SIGKILL');
  await first.done;
  await world.sql(`insert into company (id, name) values ('late', 'Late')`);
  await expect.poll(() => world.sandbox.records('jobs', 'companies').length, { timeout: 60_000 }).toBe(3);
  expect(second.stderr()).toContain('This process sweeps and sends now');
  expect(await apply(second, 'third@example.com')).toBe(200);
  expect(await world.sql('select email from placement_sync.job_application order by received_at')).toEqual([
    { email: 'first@example.com' },
    { email: 'second@example.com' },
    { email: 'third@example.com' },
  ]);
  second.child.kill('SIGTERM');
  expect((await second.done).exitCode).toBe(0);
  expect(second.stderr()).not.toContain('"level":"error"');
});

test('after kill -9 in the middle of sending, the next run completes through the pooler', async () => {
  const world = await pooledWorld();
  world.configure('ratePerSecond: null', 'ratePerSecond: 100');
  await addCompanies(world, 200);
  const run = world.start('run', '--json');
  await world.requested(120);
  run.child.kill('SIGKILL');
  await run.done;
  const again = async () => (await world.run()).code;
  await expect.poll(again, { timeout: 60_000, interval: 1_000 }).toBe(0);
  expect(world.sandbox.records('jobs', 'companies')).toHaveLength(200);
});

/** One statement of somebody else's on the pooler. */
async function pooledQuery(world: CliWorld, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: world.env.SOURCE_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
