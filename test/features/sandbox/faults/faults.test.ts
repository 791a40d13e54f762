import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { FaultsInput } from '../../../../src/features/sandbox/fault-rules.js';
import type { SandboxOptions } from '../../../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../../../src/features/sandbox/start-sandbox.js';
import { companyBody, companyPath, institutionPath, send, type Reply } from '../signed-request.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const OTHER = '2edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const companyOf = (id: string) => ({ method: 'PUT', path: companyPath(id), body: companyBody('PT Contoh') });
const put = companyOf(ID);
const find = { method: 'GET', path: companyPath(ID) };

let sandbox: RunningSandbox;
afterEach(() => sandbox.close());

async function start(rules: FaultsInput['rules'], options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ ...options, faults: { seed: 7, rules: rules ?? [] } });
}
const held = (): number => sandbox.records('jobs', 'companies').length;
const statuses = async (count: number, request = put): Promise<number[]> => {
  const replies: Reply[] = [];
  for (let sent = 0; sent < count; sent++) replies.push(await send(sandbox.url, request));
  return replies.map(({ status }) => status);
};

it('is late by what all rules of latency say together, and processes the request then', async () => {
  await start([
    { fault: 'latency', delay: '150ms' },
    { fault: 'latency', delay: '100ms', jitter: '50ms', name: 'far away' },
  ]);
  const startedAt = performance.now();
  expect((await send(sandbox.url, put)).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(245);
  expect(sandbox.requests()).toMatchObject([{ status: 200, faults: ['latency (rule 1)', 'far away'] }]);
});

it.each([429, 503] as const)('answers %i with Retry-After in seconds, or as a date', async (status) => {
  const now = Date.UTC(2026, 10, 21, 10, 0, 0, 1);
  await start(
    [
      { fault: 'retry-after', status, after: '1500ms', to: 1 },
      { fault: 'retry-after', status, after: '90s', form: 'date' },
    ],
    { clock: { now: () => now } },
  );
  const replies = [
    await send(sandbox.url, { ...put, atMs: now }),
    await send(sandbox.url, { ...put, atMs: now }),
  ];
  expect(replies.map((reply) => [reply.status, reply.headers.get('retry-after')])).toEqual([
    [status, '2'],
    [status, 'Sat, 21 Nov 2026 10:01:31 GMT'],
  ]);
  expect(held()).toBe(0);
});

it('answers 5xx in bursts, with the JSON of the platform or the text of a gateway', async () => {
  await start([
    { fault: 'server-error', every: 4, burst: 2 },
    { fault: 'server-error', status: 502, json: false, from: 3, to: 3 },
  ]);
  expect(await statuses(6)).toEqual([500, 500, 502, 200, 500, 500]);
  const { json } = await send(sandbox.url, companyOf(OTHER));
  expect(json.message).toBeUndefined();
  await start([{ fault: 'server-error', json: false }]);
  expect((await send(sandbox.url, put)).headers.get('content-type')).toMatch(/^text\/plain/);
});

it.each([false, true])('never answers, and processed the request: %s', async (applied) => {
  await start([{ fault: 'no-reply', applied }]);
  const reply = send(sandbox.url, { ...put, signal: AbortSignal.timeout(300) });
  await expect(reply).rejects.toThrow(/timeout/);
  expect(held()).toBe(applied ? 1 : 0);
  expect(sandbox.requests()).toMatchObject([{ status: null, faults: ['no-reply (rule 1)'] }]);
});

it('closes while a request is never answered', async () => {
  await start([{ fault: 'no-reply' }]);
  const waiting = send(sandbox.url, put).catch((error: unknown) => error);
  await expect.poll(() => sandbox.faults().rules[0]?.fired).toBe(1);
  await sandbox.close();
  expect(await waiting).toBeInstanceOf(Error);
});

it.each([
  ['drop-before', 0],
  ['drop-after', 1],
] as const)('breaks the connection: %s the change is applied', async (fault, records) => {
  await start([{ fault, limit: 1 }]);
  await expect(send(sandbox.url, put)).rejects.toThrow('fetch failed');
  expect(held()).toBe(records);
  expect((await send(sandbox.url, put)).status).toBe(200);
});

it('applies a request after its connection was dropped, over what came in the meantime', async () => {
  await start([{ fault: 'apply-late', after: '400ms', limit: 1 }]);
  await expect(send(sandbox.url, { ...put, body: companyBody('First') })).rejects.toThrow('fetch failed');
  expect([held(), sandbox.faults().late]).toEqual([0, 1]);
  await send(sandbox.url, { ...put, body: companyBody('Second') });
  sandbox.setFaults(null);
  await expect.poll(() => sandbox.faults().late).toBe(0);
  expect(sandbox.records('jobs', 'companies')).toMatchObject([{ body: { name: 'First' }, puts: 2 }]);
  expect(sandbox.requests()[0]).toMatchObject({
    status: null,
    message: 'connection dropped, processed 400 ms later',
  });
});

it('applies a late request not at all when its Request-Id was processed before it came', async () => {
  await start([{ fault: 'apply-late', after: '300ms', limit: 1 }]);
  const same = { ...put, requestId: 'same' };
  await expect(send(sandbox.url, same)).rejects.toThrow('fetch failed');
  expect((await send(sandbox.url, same)).status).toBe(200);
  await expect.poll(() => sandbox.faults().late).toBe(0);
  expect(sandbox.records('jobs', 'companies')).toMatchObject([{ puts: 1 }]);
});

it('lets a body trickle', async () => {
  await start([{ fault: 'slow-body', over: '400ms' }]);
  const startedAt = performance.now();
  const { status, json } = await send(sandbox.url, put);
  expect(performance.now() - startedAt).toBeGreaterThan(350);
  expect([status, json.data.name]).toEqual([200, 'PT Contoh']);
});

it('cuts a reply: as a connection that ends too early, or as a reply that looks whole', async () => {
  await start([
    { fault: 'truncated-reply', to: 1 },
    { fault: 'truncated-reply', keepPercent: 20, length: 'kept', to: 2 },
    { fault: 'truncated-reply', keepPercent: 0 },
  ]);
  await expect(send(sandbox.url, put)).rejects.toThrow('terminated');
  expect(held()).toBe(1);
  await expect(send(sandbox.url, put)).rejects.toThrow(SyntaxError);
  await expect(send(sandbox.url, put)).rejects.toThrow('terminated');
});

it.each([403, 200, 503])('answers a web page with %i', async (status) => {
  await start([{ fault: 'html', status }]);
  const reply = await send(sandbox.url, put);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(reply.json).toContain('Access denied');
  expect(held()).toBe(0);
});

it('answers 200 with another envelope than the contract’s', async () => {
  await start([
    { fault: 'wrong-envelope', to: 1 },
    { fault: 'wrong-envelope', body: ['ok'], applied: false },
  ]);
  const first = await send(sandbox.url, put);
  expect([first.status, first.json]).toEqual([200, { success: true }]);
  const second = await send(sandbox.url, companyOf(OTHER));
  expect([second.status, second.json]).toEqual([200, ['ok']]);
  expect(held()).toBe(1);
});

it.each([
  ['10m', 600_000],
  ['-10m', -600_000],
])('has a clock that is off by %s: in its Date, and in what it accepts', async (offset, ms) => {
  await start([{ fault: 'clock-offset', offset, from: 2 }]);
  expect((await send(sandbox.url, put)).status).toBe(200);
  const refused = await send(sandbox.url, put);
  expect([refused.status, refused.json.message]).toEqual([
    401,
    'Request-Timestamp is outside of the accepted window',
  ]);
  const skew = new Date(refused.headers.get('date') ?? '').getTime() - Date.now();
  expect(Math.abs(skew - ms)).toBeLessThan(5_000);
  expect((await send(sandbox.url, { ...put, atMs: Date.now() + ms })).status).toBe(200);
});

it('refuses signatures from one request on', async () => {
  await start([{ fault: 'signature-refused', from: 3 }]);
  expect(await statuses(4)).toEqual([200, 200, 401, 401]);
  expect((await send(sandbox.url, put)).json).toEqual({ message: 'Signature is not valid' });
});

it('says that a Request-Id was used before though it was not', async () => {
  await start([{ fault: 'duplicate-request-id', limit: 1 }]);
  expect(await statuses(2)).toEqual([409, 200]);
});

it('refuses fields of chosen records', async () => {
  await start([{ fault: 'fields-refused', id: ID.toUpperCase(), fields: { name: 'must be unique' } }]);
  const { status, json } = await send(sandbox.url, put);
  expect(status).toBe(422);
  expect(json.errors).toEqual({ name: ['The name field must be unique.'] });
  expect((await send(sandbox.url, companyOf(OTHER))).status).toBe(200);
});

it('refuses fields of a share of the records, always the same ones', async () => {
  await start([{ fault: 'fields-refused', recordShare: 0.5, fields: { name: 'must be unique' } }]);
  const requests = Array.from({ length: 40 }, (_, n) =>
    companyOf(`0000${String(1000 + n)}-f1a3-45dd-89d4-bc4dc9a071d0`),
  );
  const round = async () => {
    const replies = await Promise.all(requests.map((request) => send(sandbox.url, request)));
    return replies.map(({ status }) => status);
  };
  const first = await round();
  expect(new Set(first)).toEqual(new Set([200, 422]));
  expect(await round()).toEqual(first);
});

it('selects by area and operation; the first rule that fits answers, and only that one counts it', async () => {
  await start([
    { fault: 'signature-refused', area: 'training' },
    { fault: 'retry-after', operation: ['findCompany', 'deleteCompany'] },
    { fault: 'server-error' },
  ]);
  const institution = { method: 'PUT', path: institutionPath(ID), body: { name: 'BLK Contoh' } };
  const replies = [
    await send(sandbox.url, institution),
    await send(sandbox.url, find),
    await send(sandbox.url, put),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 429, 500]);
  expect(sandbox.faults().rules.map(({ requests, fired }) => [requests, fired])).toEqual([
    [1, 1],
    [1, 1],
    [3, 1],
  ]);
});

it('meets the same requests with the same faults by the same seed, and with others by another', async () => {
  const ids = Array.from({ length: 60 }, () => randomUUID());
  const outcomes = async (seed: number, together: boolean): Promise<string> => {
    sandbox = await startSandbox({ faults: { seed, rules: [{ fault: 'server-error', share: 0.3 }] } });
    const one = async (id: string) => (await send(sandbox.url, companyOf(id))).status;
    const seen: number[] = [];
    if (together) seen.push(...(await Promise.all(ids.map(one))));
    else for (const id of ids) seen.push(await one(id));
    await sandbox.close();
    return seen.join(' ');
  };
  const first = await outcomes(1, false);
  expect(first).toMatch(/500/);
  expect(first).toMatch(/200/);
  expect(await outcomes(1, false)).toBe(first);
  expect(await outcomes(1, true), 'all at once').toBe(first);
  expect(await outcomes(2, false)).not.toBe(first);
});

it('leaves requests alone that it refuses anyway', async () => {
  await start([{ fault: 'server-error' }]);
  expect((await send(sandbox.url, { ...put, secret: 'wrong' })).status).toBe(401);
  expect((await send(sandbox.url, { ...put, path: '/api/v1/nothing' })).status).toBe(404);
  expect(sandbox.faults().rules).toMatchObject([{ requests: 0, fired: 0 }]);
});

it('ends a connection whose client leaves while the body trickles, and goes on', async () => {
  await start([{ fault: 'slow-body', over: '60s' }]);
  const reply = send(sandbox.url, { ...put, signal: AbortSignal.timeout(200) });
  await expect(reply).rejects.toThrow();
  sandbox.setFaults(null);
  expect((await send(sandbox.url, put)).status).toBe(200);
});
