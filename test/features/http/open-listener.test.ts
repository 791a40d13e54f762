import { expect, onTestFinished, test } from 'vitest';
import {
  answer,
  type Exchange,
  type Listener,
  type ListenerOptions,
  openListener,
} from '../../../src/features/http/listener.js';
import { dial, dialAll } from './raw-client.js';

const OK = { status: 200, headers: {}, body: 'ok' };
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** A listener that answers at once unless a test says otherwise; what it handled is listed by path. */
async function open(
  options: Partial<ListenerOptions> = {},
): Promise<Listener & { readonly paths: string[] }> {
  const paths: string[] = [];
  const { handle = (exchange: Exchange) => answer(exchange, OK) } = options;
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
    headTimeoutMs: 5_000,
    requestTimeoutMs: 5_000,
    ...options,
    handle(exchange) {
      paths.push(exchange.incoming.url ?? '');
      return handle(exchange);
    },
  });
  onTestFinished(() => listener.close(0));
  return { ...listener, paths };
}

test('of thousands of requests on one connection one is handled, and the connection ends', async () => {
  for (const handle of [undefined, () => new Promise<void>(() => undefined)]) {
    const listener = await open(handle ? { handle } : {});
    const client = await dial(listener.port);
    client.socket.write(GET.repeat(3_000));
    await client.ended;
    expect(listener.paths).toEqual(['/']);
  }
});

test('requests after each other on one connection are all answered', async () => {
  const listener = await open();
  const client = await dial(listener.port);
  for (let count = 1; count <= 3; count += 1) {
    client.socket.write(GET);
    await expect.poll(() => client.received().split('HTTP/1.1 200').length - 1).toBe(count);
  }
});

test('a newer connection takes the place of the one that has waited longest, but of none that waits for us', async () => {
  let release = (): void => undefined;
  const listener = await open({
    maxConnections: 3,
    handle: async (exchange) => {
      exchange.begin();
      if (exchange.incoming.url === '/slow') await new Promise<void>((resolve) => (release = resolve));
      answer(exchange, OK);
    },
  });
  const slow = await dial(listener.port);
  slow.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => listener.paths).toEqual(['/slow']);
  const [idle, half] = [await dial(listener.port), await dial(listener.port)];
  half.socket.write('GET / HTTP/1.1\r\nX: ');
  const newer = await dial(listener.port);
  await idle.ended;
  newer.socket.write(GET);
  await expect.poll(() => newer.received()).toContain('200 OK');
  await dialAll(listener.port, 20);
  await half.ended;
  release();
  await expect.poll(() => slow.received()).toContain('200 OK');
});

test('an answer that the client does not take is given up', async () => {
  const handle = (exchange: Exchange) => answer(exchange, { ...OK, body: 'x'.repeat(40_000_000) });
  const listener = await open({ handle, answerTimeoutMs: 50 });
  const client = await dial(listener.port);
  client.socket.pause();
  client.socket.write(GET);
  await expect.poll(() => listener.paths).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  client.socket.resume();
  await client.ended;
  expect(client.received().length).toBeLessThan(40_000_000);
});

test.each([
  ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', ''],
  ['GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 400'],
  ['GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n', 'HTTP/1.1 400'],
  ['GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n', 'HTTP/1.1 417'],
  [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`, 'HTTP/1.1 431'],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/1.1 400'],
  ['GET / HTTP/1.0\r\n\r\n', 'HTTP/1.1 200'],
])('%j is answered %j, and its connection ends', async (text, begins) => {
  const listener = await open();
  const client = await dial(listener.port);
  client.socket.write(text);
  await client.ended;
  expect(client.received().slice(0, 12)).toBe(begins);
});

test('an upgrade is not taken: the request is answered as any other', async () => {
  const listener = await open();
  const client = await dial(listener.port);
  client.socket.write(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
  );
  await client.ended;
  expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
});

test('what a handler throws is answered 500, in no words of its own', async () => {
  const listener = await open({ handle: () => Promise.reject(new Error('secret')) });
  const response = await fetch(listener.url);
  expect([response.status, await response.text()]).toEqual([500, '']);
});

test('who is answered before the body was read gets the answer, and may be sending still', async () => {
  const listener = await open({ handle: (exchange) => answer(exchange, { ...OK, status: 401 }) });
  const client = await dial(listener.port);
  client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n');
  await expect.poll(() => client.received()).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close[^]*ok$/);
  client.socket.write('x'.repeat(2_000_000));
  await client.ended;
  const response = await fetch(listener.url, { method: 'POST', body: 'x'.repeat(3_000_000) });
  expect(response.status).toBe(401);
});

test('nothing of a client that left before its answer stays behind', async () => {
  let left = (): void => undefined;
  const gone = new Promise<void>((resolve) => (left = resolve));
  const listener = await open({
    answerTimeoutMs: 3_600_000,
    handle: async (exchange) => {
      await new Promise((resolve) => exchange.outgoing.once('close', resolve));
      answer(exchange, OK);
      exchange.outgoing.end();
      left();
    },
  });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const client = await dial(listener.port);
  client.socket.write(GET);
  await expect.poll(() => listener.paths).toHaveLength(1);
  client.socket.destroy();
  await gone;
  await expect.poll(timers).toBeLessThanOrEqual(before);
});

test('connections that send nothing cut off each other, and no request that arrives', async () => {
  const listener = await open({
    maxConnections: 10,
    handle: async (exchange) => {
      for await (const _ of exchange.incoming);
      answer(exchange, OK);
    },
  });
  const sender = await dial(listener.port);
  sender.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nha');
  await expect.poll(() => listener.paths).toEqual(['/']);
  await dialAll(listener.port, 50);
  sender.socket.write('lf');
  await expect.poll(() => sender.received()).toContain('200 OK');
});
