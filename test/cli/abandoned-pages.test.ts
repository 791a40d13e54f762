import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { addCompanies, createCliWorld, type CliWorld } from './cli-world.js';
import { configureWorker } from './configure-worker.js';
import { listening } from './listening.js';

/** A worker whose one sweep is over, and another session that keeps its tables locked. */
async function lockedWorld(table: string) {
  const world = await createCliWorld();
  configureWorker(world);
  world.configure(`sync: '* * * * * *'`, `sync: '0 0 1 1 *'`);
  await addCompanies(world, 1);
  const worker = world.start('start');
  const admin = await listening(worker, 'admin');
  await world.requested(1);
  const other = new pg.Client({ connectionString: world.env.SOURCE_DATABASE_URL });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin');
  await other.query(`lock table ${table} in access exclusive mode`);
  return { world, worker, admin, unlock: () => other.query('rollback') };
}

const backendsWaiting = async ({ sql }: CliWorld) => {
  const [row] = await sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count;
};

/** Asks for a page on a connection of its own, and does not wait for it. */
function ask(admin: string, path: string): Socket {
  const { hostname, port, host } = new URL(admin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket.resume();
}

const askMany = (admin: string) =>
  Array.from({ length: 300 }, () => ask(admin, '/record?entity=companies&key=c001'));

test('record pages that their readers have left hold no connection, and those that are waited for no process', async () => {
  const { world, worker, admin, unlock } = await lockedWorld('company');
  const waiting = () => backendsWaiting(world);
  const sockets = askMany(admin);
  await expect.poll(waiting, { timeout: 10_000 }).toBe(2);
  sockets.forEach((socket) => socket.destroy());
  await expect.poll(waiting, { timeout: 5_000 }).toBe(0);
  await unlock();
  const page = await fetch(`${admin}/record?entity=companies&key=c001`);
  expect([page.status, (await page.text()).includes('Company 1')]).toEqual([200, true]);
  expect(worker.stderr()).not.toMatch(/"level":"(error|warn)"/);
  worker.child.kill('SIGTERM');
  expect((await worker.done).exitCode).toBe(0);
});

test('SIGTERM ends a worker while many wait for a record page that cannot come', async () => {
  const { world, worker, admin } = await lockedWorld('company');
  const sockets = askMany(admin);
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await expect.poll(() => backendsWaiting(world), { timeout: 10_000 }).toBe(2);
  worker.child.kill('SIGTERM');
  // The statements would wait for ten seconds each.
  expect((await worker.done).exitCode).toBe(0);
  expect(await backendsWaiting(world)).toBe(0);
});
