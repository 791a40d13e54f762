import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startReplica, type Replicated } from '../postgres/start-replica.js';
import { failure, openTestSource, queryOf } from '../core/source/source-fixture.js';
import { createCliWorld, type CliWorld } from './cli-world.js';

// Each of them starts several processes.
vi.setConfig({ testTimeout: 120_000 });

const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';
const COMPANIES = `select id as key, name, '${CITY}' as region_id from company`;

let replicated: Replicated;
let watcher: pg.Client;

beforeAll(async () => {
  replicated = await startReplica();
  await replicated.write(`create table company (id int primary key, name text);
    create table vacancy (id text primary key, company_id text, title text)`);
  await replicated.caughtUp();
  watcher = new pg.Client({ connectionString: replicated.replicaUrl });
  await watcher.connect();
});
afterAll(async () => {
  await watcher.end();
  await replicated.stop();
});

/** When each of the slow reads that are under way began. */
const sleeping = async () =>
  (
    await watcher.query<{ since: string }>(
      `select cast(query_start as text) as since from pg_stat_activity where wait_event = 'PgSleep'`,
    )
  ).rows.map(({ since }) => since);

/** Waits for a slow read other than that which began at `before`; gives when it began. */
async function slowRead(before = ''): Promise<string> {
  let [since]: (string | undefined)[] = [];
  await expect
    .poll(async () => ([since] = (await sleeping()).filter((each) => each !== before)), { timeout: 60_000 })
    .toHaveLength(1);
  return since ?? '';
}

/** Twenty companies at the platform, read from the standby; the next read takes its time. */
async function settledWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  const state = world.env.SOURCE_DATABASE_URL ?? '';
  world.configure('state: {', `state: { url: '${state}',`);
  world.env.SOURCE_DATABASE_URL = replicated.replicaUrl;
  world.write('vacancies.sql', 'select id as key, company_id as company_key, title from vacancy');
  world.write('companies.sql', COMPANIES);
  await replicated.write(
    `truncate company; insert into company select n, 'Company ' || n from generate_series(1, 20) n`,
  );
  await replicated.caughtUp();
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { read: 20, accepted: 20 } } });
  world.sandbox.clearRequests();
  world.write('companies.sql', `${COMPANIES}, (select pg_sleep(3)) as slow`);
  return world;
}

/** What the primary removes for good is what a reader of the standby may still see. */
async function removeOne(): Promise<void> {
  await replicated.write('delete from company where id = (select max(id) from company)');
  await replicated.write('vacuum company');
}

test('a read that the replica cancels to replay changes is made once more, and only what is gone has vanished', async () => {
  const world = await settledWorld();
  const run = world.run();
  await slowRead();
  await removeOne();
  expect(await run).toMatchObject({
    code: 0,
    entities: { companies: { read: 19, unchanged: 19, vanished: 1, sent: 0, error: null } },
  });
});

test('a second conflict in a row fails the entity with a hint, nothing vanishes, and a later run completes', async () => {
  const world = await settledWorld();
  const running = world.run();
  const first = await slowRead();
  await removeOne();
  // The read is made once more at once, so that there is hardly a moment without one.
  await slowRead(first);
  await removeOne();
  const failed = await running;
  expect(failed).toMatchObject({
    code: 1,
    outcome: 'failed',
    entities: {
      companies: { read: 0, vanished: 0, error: { code: 'query-failed' } },
      vacancies: { error: null },
    },
  });
  expect(failed.stderr).toContain('hot_standby_feedback');
  world.write('companies.sql', COMPANIES);
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { read: 18, vanished: 2 } } });
  expect(world.sandbox.requests()).toEqual([]);
});

test('a connection that the replica ends between two statements is a conflict with the replay, too', async () => {
  const source = openTestSource(replicated.replicaUrl);
  const reading = source.read(queryOf('select id as key, name from company'), async (reader) => {
    await reader.digest();
    await removeOne();
    const left = async () =>
      (await watcher.query(`select 1 from pg_stat_activity where application_name = 'placement-sync'`)).rows
        .length;
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
    await reader.digest();
  });
  expect(await failure(reading)).toMatchObject({
    code: 'query-failed',
    scope: 'entity',
    details: { recoveryConflict: true },
  });
  await source.close();
});

test('a replica is the same source as its primary', async () => {
  const world = await settledWorld();
  world.write('companies.sql', COMPANIES);
  world.env.SOURCE_DATABASE_URL = replicated.primaryUrl;
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { unchanged: 20 } } });
  const status = await world.cli('status');
  expect(status.stdout).not.toContain('replica');
  world.env.SOURCE_DATABASE_URL = replicated.replicaUrl;
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { unchanged: 20 } } });
});

test('how far the replica is behind is shown, and more than source.maxReplicaLag fails the entity until it has caught up', async () => {
  const world = await settledWorld();
  world.write('companies.sql', COMPANIES);
  const lagOf = async () => {
    const { stdout } = await world.cli('status', '--json');
    return (JSON.parse(stdout) as { entities: Record<string, { sourceLag?: number }> }).entities.companies
      ?.sourceLag;
  };
  expect(await lagOf(), 'nothing is missing, however old the last change is').toBe(0);
  await watcher.query('select pg_wal_replay_pause()');
  try {
    await replicated.write(`update company set name = 'Late' where id = 1`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const unlimited = await world.run();
    expect(unlimited).toMatchObject({ code: 0, entities: { companies: { unchanged: 20 } } });
    expect(unlimited.stderr).toMatch(/companies: 20 read.*the source is a replica, [\d.]+ s behind/);
    const lag = await lagOf();
    expect(lag).toBeGreaterThan(1);
    expect(lag).toBeLessThan(300);
    expect((await world.cli('status')).stdout).toMatch(
      /The source is a replica, [\d.]+ s behind at the last sweep\./,
    );

    world.configure('source: {', 'source: { maxReplicaLag: 1s,');
    const failed = await world.run();
    expect(failed).toMatchObject({
      code: 1,
      outcome: 'failed',
      entities: { companies: { read: 0, error: { code: 'replica-lag' } } },
    });
    expect(failed.stderr).toContain('source.maxReplicaLag is 1 s. Nothing of companies was applied.');
    const plan = await world.cli('plan');
    expect(plan.stdout + plan.stderr).toContain('source.maxReplicaLag is 1 s');
  } finally {
    await watcher.query('select pg_wal_replay_resume()');
  }
  await replicated.caughtUp();
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { changed: 1, sent: 1 } } });
  expect(await lagOf()).toBe(0);
});

test('a replica without a connection to its primary is as far behind as its last transaction, although nothing waits for replay', async () => {
  await replicated.write('create table if not exists news (id int)');
  await replicated.caughtUp();
  const source = openTestSource(replicated.replicaUrl);
  const lag = async () =>
    (await source.read(queryOf('select id as key, name from company'), (reader) => reader.sight())).replica
      ?.lagMs;
  const [shown] = (await watcher.query<{ primary_conninfo: string }>('show primary_conninfo')).rows;
  const connect = async (to: string) => {
    await watcher.query(`alter system set primary_conninfo = ${pg.escapeLiteral(to)}`);
    await watcher.query('select pg_reload_conf()');
  };
  expect(await lag()).toBe(0);
  await connect('host=127.0.0.1 port=1');
  try {
    await expect.poll(lag, { timeout: 30_000 }).toBeGreaterThan(0);
  } finally {
    await connect(shown?.primary_conninfo ?? '');
  }
  await expect.poll(lag, { timeout: 30_000 }).toBe(0);
  await source.close();
});
