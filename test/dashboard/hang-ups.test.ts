import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import { openTestSource } from '../source/source-fixture.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { openTestDashboard } from './open-test-dashboard.js';

const LIST = '/records?entity=companies&status=pending';
const PATIENT = { timeout: 10_000 };
const RECORD = '/record?entity=companies&key=a';

/** A dashboard on pools as `start` opens them, whose tables another session can lock. */
async function lockableDashboard() {
  const partner = await createTestDatabase();
  await partner.query('create table company (id text primary key)');
  const source = openTestSource(partner.url, { poolMax: 2, maxWaiting: 20 });
  onTestFinished(async () => {
    await source.close();
    await partner.drop();
  });
  const dashboard = await openTestDashboard({
    source,
    sql: 'select id as key, null as name from company',
    bound: { places: 2, maxWaiting: 30 },
  });
  const { url } = dashboard;
  const other = new pg.Client({ connectionString: dashboard.state.url });
  const beside = new pg.Client({ connectionString: partner.url });
  await Promise.all([other.connect(), beside.connect()]);
  onTestFinished(async () => void (await Promise.all([other.end(), beside.end()])));
  await other.query('begin');
  await beside.query('begin');
  const waiting = async () => {
    const [row] = await partner.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = any ($1) and wait_event_type = 'Lock'`,
      [[partner.name, new URL(dashboard.state.url).pathname.slice(1)]],
    );
    return row?.count;
  };
  return {
    ...dashboard,
    waiting,
    lockState: () => other.query('lock table placement_sync.sync_state in access exclusive mode'),
    lockSource: () => beside.query('lock table company in access exclusive mode'),
    async unlock() {
      await Promise.all([other.query('rollback'), beside.query('rollback')]);
      await Promise.all([other.query('begin'), beside.query('begin')]);
    },
    /** Requests on one connection, written at once; nobody reads the answers. */
    write(requests: readonly string[]): Socket {
      const { hostname, port, host } = new URL(url);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.write(requests.map((line) => `${line} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''));
      return socket;
    },
  };
}

test.each([
  ['lists of records', LIST, 'lockState'],
  ['record pages', RECORD, 'lockSource'],
] as const)('hang-ups end the statements of %s, asked for by GET and HEAD', async (_name, path, lock) => {
  const dashboard = await lockableDashboard();
  const { ask, write, waiting, unlock } = dashboard;
  for (const connections of [
    Array.from({ length: 50 }, () => [`GET ${path}`]),
    Array.from({ length: 50 }, () => [`HEAD ${path}`]),
  ]) {
    await dashboard[lock]();
    const sockets = connections.map(write);
    await expect.poll(waiting, PATIENT).toBe(2);
    sockets.forEach((socket) => socket.destroy());
    // A count for all who look goes on: it is one.
    await expect.poll(waiting, PATIENT).toBeLessThanOrEqual(lock === 'lockState' ? 1 : 0);
    await unlock();
    expect([404, 200]).toContain((await ask(path)).status);
  }
});

test('of many who ask at once those that would wait too long are told to come again', async () => {
  const { ask, lockSource, waiting, unlock, events } = await lockableDashboard();
  await lockSource();
  const asked = Array.from({ length: 60 }, () => ask(RECORD));
  const [turnedAway] = await Promise.all([Promise.race(asked), expect.poll(waiting, PATIENT).toBe(2)]);
  expect([turnedAway.status, turnedAway.headers['retry-after']]).toEqual([503, '1']);
  expect(turnedAway.text).toContain('Too many requests');
  await unlock();
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  // Twenty pages are read or wait; the record is in neither database.
  expect(statuses.filter((status) => status === 404).length).toBeGreaterThanOrEqual(20);
  expect(new Set(statuses)).toEqual(new Set([404, 503]));
  expect((await ask(RECORD)).status).toBe(404);
  expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
});
