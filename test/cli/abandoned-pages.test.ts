import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLockedWorld } from './locked-world.js';

const RECORD = '/record?entity=companies&key=c001';

/** Asks for record pages, each on a connection of its own, and does not wait for them. */
function askMany(admin: string): Socket[] {
  const { hostname, port, host } = new URL(admin);
  return Array.from({ length: 300 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET ${RECORD} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket.resume();
  });
}

test('record pages that their readers have left hold no connection, and those that are waited for no process', async () => {
  const { lock, unlock, worker, admin, waiting } = await createLockedWorld();
  await lock('company');
  const sockets = askMany(admin);
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
  sockets.forEach((socket) => socket.destroy());
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  await unlock();
  const page = await fetch(admin + RECORD);
  expect([page.status, (await page.text()).includes('Company 1')]).toEqual([200, true]);
  expect(worker.stderr()).not.toMatch(/"level":"(error|warn)"/);
  worker.child.kill('SIGTERM');
  expect((await worker.done).exitCode).toBe(0);
});

test('SIGTERM ends a worker while many wait for a record page that cannot come', async () => {
  const { lock, worker, admin, waiting } = await createLockedWorld();
  await lock('company');
  const sockets = askMany(admin);
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
  worker.child.kill('SIGTERM');
  // The statements would wait for ten seconds each.
  expect((await worker.done).exitCode).toBe(0);
  expect(await waiting()).toBe(0);
});
