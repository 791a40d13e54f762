import { afterEach, describe, expect, it } from 'vitest';
import type { Intercept, InterceptedRequest } from '../../src/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start-sandbox.js';
import { companyBody, companyPath, send } from './signed-request.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const put = { method: 'PUT', path: companyPath(ID), body: companyBody('PT Contoh') };

describe('interception', () => {
  let sandbox: RunningSandbox;
  afterEach(() => sandbox.close());

  const start = async (intercept: Intercept): Promise<void> => {
    sandbox = await startSandbox({ intercept });
  };
  const held = (): number => sandbox.records('jobs', 'companies').length;

  it('sees authentic requests, and counts them per method and path', async () => {
    const seen: InterceptedRequest[] = [];
    await start((request) => void seen.push(request));
    await send(sandbox.url, { ...put, secret: 'wrong' });
    await send(sandbox.url, put);
    await send(sandbox.url, put);
    await send(sandbox.url, { method: 'GET', path: put.path });
    expect(seen.map(({ method, count }) => `${method} ${count}`)).toEqual(['PUT 1', 'PUT 2', 'GET 1']);
    expect(seen[0]).toMatchObject({ operation: 'putCompany', area: 'jobs', id: ID, body: put.body });
  });

  it('answers in place of the sandbox, and the Request-Id stays free', async () => {
    await start(({ count }) =>
      count === 1
        ? { status: 429, headers: { 'Retry-After': '7' }, body: { message: 'Too many' } }
        : undefined,
    );
    const reply = await send(sandbox.url, { ...put, requestId: 'same' });
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('7');
    expect(reply.json).toEqual({ message: 'Too many' });
    expect(held()).toBe(0);
    expect((await send(sandbox.url, { ...put, requestId: 'same' })).status).toBe(200);
  });

  it('answers with HTML', async () => {
    await start(() => ({ status: 403, body: '<html>blocked</html>' }));
    const reply = await send(sandbox.url, put);
    expect(reply.status).toBe(403);
    expect(reply.headers.get('content-type')).toMatch(/^text\/html/);
    expect(reply.json).toBe('<html>blocked</html>');
  });

  it('processes a request and answers with an error all the same', async () => {
    await start(() => ({ status: 502, apply: true }));
    expect((await send(sandbox.url, { ...put, requestId: 'same' })).status).toBe(502);
    expect(held()).toBe(1);
    expect((await send(sandbox.url, { ...put, requestId: 'same' })).status).toBe(409);
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('breaks the connection %s processing', async (drop, records) => {
    await start(({ count }) => (count === 1 ? { drop } : undefined));
    await expect(send(sandbox.url, put)).rejects.toThrow('fetch failed');
    expect(held()).toBe(records);
    expect(sandbox.requests()).toMatchObject([
      { status: null, message: `connection dropped ${drop} processing` },
    ]);
    expect((await send(sandbox.url, put)).status).toBe(200);
  });

  it('processes first and answers late', async () => {
    await start(() => ({ delayMs: 300 }));
    const startedAt = performance.now();
    const reply = send(sandbox.url, put);
    await expect.poll(held, { interval: 5, timeout: 250 }).toBe(1);
    expect((await reply).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  });

  it('processes late, even when the client has left', async () => {
    await start(() => ({ delayMs: 300, applyAfterDelay: true }));
    await expect(send(sandbox.url, { ...put, signal: AbortSignal.timeout(100) })).rejects.toThrow();
    expect(sandbox.requests()).toHaveLength(1);
    expect(held()).toBe(0);
    await expect.poll(held, { interval: 10 }).toBe(1);
  });

  it('answers 500 with the message when the interception itself fails', async () => {
    await start(() => Promise.reject(new Error('out of faults')));
    const reply = await send(sandbox.url, put);
    expect(reply.status).toBe(500);
    expect(reply.json).toEqual({ message: 'out of faults' });
    expect(held()).toBe(0);
  });
});

describe('starting and closing', () => {
  it('closes at once though a request is waiting, and the request is not processed', async () => {
    const sandbox = await startSandbox({
      faults: { rules: [{ fault: 'latency', delay: '60s' }] },
    });
    const waiting = send(sandbox.url, put).catch((error: unknown) => error);
    await expect.poll(() => sandbox.requests().length).toBe(1);
    const startedAt = performance.now();
    await sandbox.close();
    await sandbox.close();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(await waiting).toBeInstanceOf(Error);
    expect(sandbox.records('jobs', 'companies')).toEqual([]);
  });

  it('rejects when the port is taken', async () => {
    const first = await startSandbox();
    await expect(startSandbox({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });
});
