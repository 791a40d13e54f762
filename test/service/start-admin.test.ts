import { Hono } from 'hono';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { DashboardEnv } from '../../src/service/dashboard/dashboard-request.js';
import { startAdmin } from '../../src/service/start-admin.js';

test('who sends slowly is cut off, in headers and in bodies, while probes are answered', async () => {
  const admin = await startAdmin({
    host: '127.0.0.1',
    port: 0,
    dashboard: new Hono<DashboardEnv>().post('*', async (c) =>
      c.text(await c.req.text().catch(() => 'cut off')),
    ),
    notReady: () => Promise.resolve(null),
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    requestTimeoutMs: 400,
  });
  onTestFinished(() => admin.close());
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
