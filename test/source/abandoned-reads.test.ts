import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { failure, openTestSource, queryOf, readVersions } from './source-fixture.js';

const SLOW = queryOf('select 1 as key, pg_sleep(120)::text as about');
const QUICK = queryOf('select 1 as key');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const asleep = async () => {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return row?.count;
};

/** A source with both of its places taken by statements that last for minutes. */
async function busySource(maxWaiting = 5) {
  const source = openTestSource(database.url, { poolMax: 2, maxWaiting });
  const stop = new AbortController();
  const taken = [1, 2].map(() => failure(source.read(SLOW, (one) => one.digest(), stop.signal)));
  onTestFinished(async () => {
    stop.abort();
    await source.close();
  });
  await expect.poll(asleep).toBe(2);
  return { source, stop, taken };
}

test('a read whose signal aborts leaves the queue at once, and those behind it do not wait for it', async () => {
  const { source, stop, taken } = await busySource();
  const gone = new AbortController();
  const left = failure(source.read(QUICK, (one) => one.digest(), gone.signal));
  const behind = readVersions(source, QUICK);
  gone.abort();
  expect(await left).toMatchObject({ code: 'interrupted', scope: 'run' });
  expect(await asleep()).toBe(2);
  stop.abort();
  expect(await behind).toHaveLength(1);
  for (const ended of await Promise.all(taken)) expect(ended.code).toBe('interrupted');
});

test('a queue that is full turns reads away, and is open again when somebody has left it', async () => {
  const { source, stop } = await busySource(1);
  const waiting = readVersions(source, QUICK);
  expect(await failure(readVersions(source, QUICK))).toMatchObject({
    code: 'source-unavailable',
    scope: 'run',
    details: { busy: true },
  });
  stop.abort();
  expect(await waiting).toHaveLength(1);
  expect(await readVersions(source, QUICK)).toHaveLength(1);
});

test('closing cancels what runs and turns away what waits and what comes', async () => {
  const { source, taken } = await busySource();
  const waiting = [1, 2, 3].map(() => failure(readVersions(source, QUICK)));
  await source.close();
  for (const ended of await Promise.all([...taken, ...waiting])) expect(ended.code).toBe('interrupted');
  expect(await failure(readVersions(source, QUICK))).toMatchObject({ code: 'interrupted' });
  await expect.poll(asleep).toBe(0);
});

test('closing does not wait for a server that takes the connection and stays silent', async () => {
  let connected = () => {};
  const called = new Promise<void>((resolve) => (connected = resolve));
  const silent = createServer(() => connected());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const source = openTestSource(`postgres://a:b@127.0.0.1:${port}/db`);
  const reading = failure(readVersions(source, QUICK));
  await called;
  // Connecting is given up after ten seconds by itself; then it would be `source-unavailable`.
  const first = await Promise.race([source.close().then(() => 'closed'), patience(8_000)]);
  expect(first).toBe('closed');
  expect(await reading).toMatchObject({ code: 'interrupted' });
});

test('an abandoned read does not cancel the statement of the next one on its connection', async () => {
  const source = openTestSource(database.url, { poolMax: 1 });
  onTestFinished(() => source.close());
  for (let round = 0; round < 20; round += 1) {
    const gone = new AbortController();
    // Aborts between two statements, where nothing runs that the server could cancel.
    const abandoned = source.read(
      QUICK,
      async (one) => {
        await one.digest();
        gone.abort();
      },
      gone.signal,
    );
    const next = readVersions(source, QUICK);
    await abandoned.catch(() => undefined);
    expect(await next).toHaveLength(1);
  }
});

function patience(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('still open'), ms).unref());
}
