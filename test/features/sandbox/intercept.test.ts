import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createJournal } from '../../../src/features/sandbox/journal.js';
import type { Intercept, InterceptedRequest } from '../../../src/features/sandbox/sandbox-options.js';
import { createRequestIds } from '../../../src/features/sandbox/sandbox-state.js';
import { type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
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
    await start(() => ({ delayMs: 1_000, applyAfterDelay: true }));
    const leaving = new AbortController();
    const left = expect(send(sandbox.url, { ...put, signal: leaving.signal })).rejects.toThrow();
    await expect.poll(() => sandbox.requests().length, { interval: 10 }).toBe(1);
    leaving.abort();
    await left;
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

describe('listing', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

  async function get(
    url: string,
  ): Promise<{ status: number; json: Record<string, Record<string, unknown>[]> }> {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    return {
      status: response.status,
      json: (await response.json()) as Record<string, Record<string, unknown>[]>,
    };
  }

  describe('the listing of the sandbox', () => {
    let sandbox: RunningSandbox;

    beforeAll(async () => {
      sandbox = await startSandbox();
    });
    afterAll(() => sandbox.close());

    it('shows records with their body, links and number of Puts', async () => {
      const reply = await send(sandbox.url, {
        method: 'PUT',
        path: companyPath(ID),
        body: companyBody('PT Contoh'),
      });
      const { json } = await get(`${sandbox.url}/_sandbox/records/jobs/companies`);
      expect(json.records).toEqual([
        {
          id: ID,
          reference: reply.json.data.reference,
          remoteId: reply.json.data.id,
          body: companyBody('PT Contoh'),
          createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
          updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
          puts: 1,
        },
      ]);
    });

    it.each(['jobs/institutions', 'training/companies', 'jobs/people'])(
      'has no records of %s',
      async (path) => {
        expect((await get(`${sandbox.url}/_sandbox/records/${path}`)).status).toBe(404);
      },
    );

    it('shows requests in the order of arrival until they are cleared', async () => {
      await fetch(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
      await send(sandbox.url, { method: 'GET', path: companyPath(ID), requestId: 'one' });
      await send(sandbox.url, { method: 'GET', path: companyPath(ID), requestId: 'two', secret: 'wrong' });
      const { json } = await get(`${sandbox.url}/_sandbox/requests`);
      expect(json.requests).toEqual([
        {
          at: expect.stringMatching(/\.\d{3}Z$/) as string,
          atMs: expect.any(Number) as number,
          area: 'jobs',
          method: 'GET',
          path: companyPath(ID),
          requestId: 'one',
          status: 200,
          message: null,
          faults: [],
        },
        expect.objectContaining({
          requestId: 'two',
          status: 401,
          message: expect.stringMatching(/^Signature is not valid/) as string,
        }),
      ]);
      await fetch(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
      expect(sandbox.requests()).toEqual([]);
    });

    it('shows an index', async () => {
      for (const path of ['/_sandbox', '/_sandbox/']) {
        const { json } = await get(sandbox.url + path);
        expect(json.records).toContain('/_sandbox/records/jobs/vacancies');
      }
    });
  });

  describe('what the sandbox remembers', () => {
    it('drops the oldest requests beyond its capacity, and keeps the order', () => {
      const journal = createJournal(3);
      const entry = (atMs: number) => ({
        atMs,
        area: null,
        method: 'GET',
        path: '/',
        requestId: null,
        status: 200,
        message: null,
        faults: [],
      });
      const seen = [1, 2, 3, 4, 5, 6, 7].map((atMs) => {
        journal.add(entry(atMs));
        return journal.entries().map((each) => each.atMs);
      });
      const last = [
        [3, 4, 5],
        [4, 5, 6],
        [5, 6, 7],
      ];
      expect(seen).toEqual([[1], [1, 2], [1, 2, 3], [2, 3, 4], ...last]);
      journal.clear();
      expect(journal.entries()).toEqual([]);
    });

    it('forgets the oldest Request-Ids beyond its capacity, per client', () => {
      const ids = createRequestIds(2);
      expect([ids.claim('a', '1'), ids.claim('b', '1'), ids.claim('a', '1')]).toEqual([true, true, false]);
      expect([ids.claim('a', '2'), ids.claim('a', '1'), ids.claim('a', '2')]).toEqual([true, true, false]);
    });
  });
});
