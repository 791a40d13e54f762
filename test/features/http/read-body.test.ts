import { expect, onTestFinished, test } from 'vitest';
import { answer, openListener } from '../../../src/features/http/listener.js';
import { createByteBudget, readBody } from '../../../src/features/http/read-body.js';
import { dial } from './raw-client.js';

const POST = 'POST / HTTP/1.1\r\nHost: a\r\n';

/** A listener that answers what became of the body, and keeps it until the test releases it. */
async function open(options: { maxBytes?: number; limit?: number; requestTimeoutMs?: number } = {}) {
  const { maxBytes = 100_000, limit = 1_000_000, requestTimeoutMs = 5_000 } = options;
  const budget = createByteBudget(limit);
  const results: string[] = [];
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 50,
    headTimeoutMs: requestTimeoutMs,
    requestTimeoutMs,
    async handle(exchange) {
      let seen = 0;
      const body = await readBody(exchange, { maxBytes, budget, onBytes: (bytes) => (seen += bytes.length) });
      const result = typeof body === 'string' ? body : `${body.bytes().toString('latin1').length} of ${seen}`;
      results.push(result);
      if (typeof body !== 'string') body.release();
      answer(exchange, { status: 200, headers: {}, body: result });
    },
  });
  onTestFinished(() => listener.close(0));
  return { ...listener, budget, results };
}

const chunked = (text: string, size: number): string => {
  let all = '';
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size);
    all += `${piece.length.toString(16)}\r\n${piece}\r\n`;
  }
  return `${all}0\r\n\r\n`;
};

test.each([0, 1, 16_384, 16_385, 100_000])(
  'a body of %i bytes is read, announced and in chunks',
  async (length) => {
    const listener = await open();
    const body = 'x'.repeat(length);
    const announced = await fetch(listener.url, { method: 'POST', body });
    const inChunks = await fetch(listener.url, {
      method: 'POST',
      body: new Blob([body]).stream(),
      duplex: 'half',
    });
    expect([await announced.text(), await inChunks.text()]).toEqual([
      `${length} of ${length}`,
      `${length} of ${length}`,
    ]);
    expect(listener.budget.taken()).toBe(0);
  },
);

test('a body that is too large is known so at once where its length is announced, and in chunks when it is', async () => {
  const listener = await open();
  const announced = await dial(listener.port);
  announced.socket.write(`${POST}Content-Length: 100001\r\n\r\n`);
  await expect.poll(() => announced.received()).toContain('too-large');
  const inChunks = await dial(listener.port);
  inChunks.socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n${chunked('x'.repeat(100_001), 10_000)}`);
  await expect.poll(() => inChunks.received()).toContain('too-large');
  expect(listener.budget.taken()).toBe(0);
});

test('bytes count from their arrival, not from their announcement, until the client leaves', async () => {
  const listener = await open();
  const client = await dial(listener.port);
  client.socket.write(`${POST}Content-Length: 100000\r\n\r\n`);
  client.socket.write('x'.repeat(20_000));
  await expect.poll(() => listener.budget.taken()).toBe(2 * 16_384);
  client.socket.destroy();
  await expect.poll(() => listener.budget.taken()).toBe(0);
  expect(listener.results).toEqual(['broken']);
});

test('the time for a request ends also what its body holds', async () => {
  const listener = await open({ requestTimeoutMs: 200 });
  const client = await dial(listener.port);
  client.socket.write(`${POST}Content-Length: 100000\r\n\r\nxxx`);
  await client.ended;
  expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  expect([listener.results, listener.budget.taken()]).toEqual([['broken'], 0]);
});

test('a small body finds room among large ones: the largest is given up', async () => {
  const listener = await open({ limit: 150_000 });
  const [one, other] = [await dial(listener.port), await dial(listener.port)];
  for (const [{ socket }, length] of [
    [one, 60_000],
    [other, 80_000],
  ] as const)
    socket.write(`${POST}Content-Length: 100000\r\n\r\n${'x'.repeat(length)}`);
  await expect.poll(() => listener.budget.taken()).toBeGreaterThan(140_000);
  const small = await fetch(listener.url, { method: 'POST', body: 'x'.repeat(15_000) });
  expect(await small.text()).toBe('15000 of 15000');
  await expect.poll(() => other.received()).toContain('no-room');
  expect(one.received()).toBe('');
});

test('a body in pieces of one byte has no room after a thousand', async () => {
  const listener = await open();
  const usual = await dial(listener.port);
  usual.socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n${chunked('x'.repeat(900), 1)}`);
  await expect.poll(() => usual.received()).toContain('900 of 900');
  const hostile = await dial(listener.port);
  hostile.socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n${chunked('x'.repeat(5_000), 1)}`);
  await hostile.ended;
  expect(listener.results).toEqual(['900 of 900', 'no-room']);
});

test('who asks before sending is asked to go on only when the body will be read', async () => {
  const listener = await open();
  const welcome = await dial(listener.port);
  welcome.socket.write(`${POST}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
  await expect.poll(() => welcome.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  welcome.socket.write('abc');
  await expect.poll(() => welcome.received()).toContain('3 of 3');
  const unwelcome = await dial(listener.port);
  unwelcome.socket.write(`${POST}Expect: 100-continue\r\nContent-Length: 100001\r\n\r\n`);
  await unwelcome.ended;
  expect(unwelcome.received()).toMatch(/^HTTP\/1\.1 200 [^]*too-large$/);
});

test('who was asked to go on and sends too much can end its sending, and gets the answer', async () => {
  const listener = await open({ maxBytes: 100 });
  const client = await dial(listener.port);
  client.socket.write(`${POST}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`);
  await expect.poll(() => client.received()).toContain('100 Continue');
  client.socket.write(`400\r\n${'x'.repeat(1024)}\r\n`);
  await expect.poll(() => client.received()).toContain('too-large');
  // A server that ends the connection with the answer ends it in the same packet.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(client.socket.readableEnded).toBe(false);
  client.socket.write('0\r\n\r\n');
  await client.ended;
});
