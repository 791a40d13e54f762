import { Hono } from 'hono';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { DashboardEnv } from '../../src/dashboard/dashboard-request.js';
import type { SyncEvent } from '../../src/core/domain/events.js';
import { type AdminOptions, startAdmin, startAdminListeners } from '../../src/dashboard/start-admin.js';
import { dial, dialAll } from '../features/http/raw-client.js';

async function openAdmin(options: Partial<AdminOptions>): Promise<{ url: string; port: number }> {
  const admin = await startAdmin({
    host: '127.0.0.1',
    port: 0,
    dashboard: new Hono<DashboardEnv>(),
    notReady: () => Promise.resolve(null),
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    ...options,
  });
  onTestFinished(() => admin.close());
  return { url: admin.url, port: Number(new URL(admin.url).port) };
}

test('metrics on a port of their own: probes on both, each of the others on one', async () => {
  const events: SyncEvent[] = [];
  const here = { host: '127.0.0.1', port: 0 };
  const serves = {
    dashboard: new Hono<DashboardEnv>().all('*', (c) => c.text('a page')),
    notReady: () => Promise.resolve('why not'),
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: 'the metrics' }),
  };
  const open = (metrics: { host: string; port: number } | null) =>
    startAdminListeners({ admin: here, metrics }, serves, (event) => void events.push(event));
  const both = await open(here);
  const [admin = '', metrics = ''] = events.flatMap((event) =>
    event.type === 'listening' ? [event.url] : [],
  );
  expect(events).toEqual([
    { type: 'listening', what: 'admin', url: both.url },
    { type: 'listening', what: 'metrics', url: metrics },
  ]);
  const ask = async (url: string) => {
    const reply = await fetch(url);
    return [reply.status, await reply.text()];
  };
  for (const url of [admin, metrics]) {
    expect(await ask(`${url}/livez`)).toEqual([200, 'ok\n']);
    expect(await ask(`${url}/readyz`)).toEqual([503, 'why not\n']);
  }
  expect(await ask(`${metrics}/metrics`)).toEqual([200, 'the metrics']);
  expect((await ask(`${admin}/metrics`))[0]).toBe(404);
  expect(await ask(`${admin}/`)).toEqual([200, 'a page']);
  for (const path of ['/', '/records', '/login', '/metrics/'])
    expect([path, (await ask(metrics + path))[0]]).toEqual([path, 404]);
  expect((await fetch(`${metrics}/`, { method: 'POST', body: 'a=b' })).status).toBe(404);

  // Whoever cannot have both has none.
  const port = Number(new URL(admin).port);
  await both.close();
  const taken = await startAdminListeners({ admin: here, metrics: null }, serves, () => undefined);
  onTestFinished(() => taken.close());
  const busy = Number(new URL(taken.url).port);
  await expect(
    startAdminListeners(
      { admin: { ...here, port }, metrics: { ...here, port: busy } },
      serves,
      () => undefined,
    ),
  ).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('http.metrics: 127.0.0.1:') as string,
    hint: expect.stringContaining('http.metrics.port') as string,
  });
  const again = await startAdmin({ ...here, port, ...serves });
  onTestFinished(() => again.close());
});

test('who sends slowly is cut off, in headers and in bodies, while probes are answered', async () => {
  const admin = await openAdmin({
    dashboard: new Hono<DashboardEnv>().post('*', async (c) =>
      c.text(await c.req.text().catch(() => 'cut off')),
    ),
    requestTimeoutMs: 400,
  });
  const begin = (head: string, drop: string) => {
    const socket = connect(Number(new URL(admin.url).port), '127.0.0.1');
    socket.on('error', () => undefined).write(head);
    const dripping = setInterval(() => socket.write(drop), 100);
    onTestFinished(() => clearInterval(dripping));
    socket.resume();
    return new Promise<void>((resolve) => socket.once('close', () => resolve()));
  };
  const slow = [
    begin('GET / HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n'),
    begin('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n', ' '),
  ];
  expect((await fetch(`${admin.url}/livez`)).status).toBe(200);
  await Promise.all(slow);
});

test('probes are answered while others hold every connection, and every page', async () => {
  const { port, url } = await openAdmin({
    maxConnections: 30,
    dashboard: new Hono<DashboardEnv>().all('*', () => new Promise<Response>(() => undefined)),
  });
  const pages = await dialAll(port, 20);
  for (const { socket } of pages) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(async () => (await fetch(`${url}/page`)).status).toBe(503);
  const heads = await dialAll(port, 100);
  for (const { socket } of heads) socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(15_000)}`);
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  expect(pages.every(({ socket }) => !socket.destroyed)).toBe(true);
});

test('however many ask for metrics at a time, they are made once', async () => {
  let made = 0;
  let release = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (release = resolve));
  const { port, url } = await openAdmin({
    metrics: async () => {
      made += 1;
      await waiting;
      return { contentType: 'text/plain', text: 'metrics' };
    },
  });
  const clients = await dialAll(port, 10);
  for (const { socket } of clients) socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => made).toBe(1);
  // On loopback what was written before this has arrived before it.
  await fetch(`${url}/livez`);
  release();
  for (const client of clients) await expect.poll(() => client.received()).toContain('metrics');
  expect(made).toBe(1);
});

test('probes are answered while probes that wait for the state database hold every connection', async () => {
  const { port, url } = await openAdmin({
    maxConnections: 20,
    notReady: () => new Promise<null>(() => undefined),
  });
  for (const { socket } of await dialAll(port, 40)) socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test('a probe that speaks HTTP/1.0 and names no host is answered', async () => {
  const { port } = await openAdmin({});
  const client = await dial(port);
  client.socket.write('GET /livez HTTP/1.0\r\n\r\n');
  await client.ended;
  expect(client.received()).toContain(' 200 OK');
});
