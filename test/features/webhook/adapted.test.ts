import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AdapterDoor } from '../../../src/core/platform/adapter.js';
import { deliver, openTestWebhook, PATH, SECRET, signedHeaders } from './open-test-webhook.js';

const APPLICATION = {
  id: '7f0e8a4e-4c1d-4a9b-8c3e-0d9f3f0a1b2c',
  job: { id: '11111111-2222-4333-8444-555555555555', title: 'Welder' },
  job_seeker: { name: 'An applicant', email: 'applicant@example.com' },
  applied_at: '2026-11-20 10:00:00',
};

const OTHER = { ...APPLICATION, id: '8a0e8a4e-4c1d-4a9b-8c3e-0d9f3f0a1b2c' };

/** A listener with an adapter of this text. */
async function adapted(text: string, options: Parameters<typeof openTestWebhook>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-adapter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'adapter.mjs');
  writeFileSync(file, text);
  const adapter = { door: new AdapterDoor(file, [SECRET]), clientId: 'partner', timeoutMs: 500 };
  const opened = await openTestWebhook({ adapter, ...options });
  const stored = async (): Promise<number> => (await opened.inbox.counts()).total;
  const send = async (body: object | string, headers: Record<string, string> = {}, method = 'POST') => {
    const query = method === 'GET' && typeof body === 'string' ? body : '';
    const response = await fetch(opened.webhook.url + query, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ...opened, stored, send };
}

const example = readFileSync(
  new URL('../../../config/adapters/webhook-wrapper.mjs', import.meta.url),
  'utf8',
);

/** As that platform signs. */
function wrapped(payload: object, time = Math.floor(Date.now() / 1000)): [string, Record<string, string>] {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
  return [body, { 'X-Time': String(time), 'X-Signature': signature }];
}

test('a wrapper, Unix seconds and other headers: each application in it is stored once', async () => {
  const { send, stored, outcomes } = await adapted(example);
  const both = wrapped({
    events: [
      { type: 'application', data: APPLICATION },
      { type: 'news', data: {} },
      { type: 'application', data: OTHER },
    ],
  });
  expect(await send(...both)).toMatchObject({ status: 200, text: '{}' });
  expect(await stored()).toBe(2);
  expect((await send(...both)).status).toBe(200);
  expect(await stored()).toBe(2);
  expect(outcomes()).toEqual(['stored', 'repeat']);
});

test('a challenge is answered and not stored; what has no valid signature or time is refused', async () => {
  const { send, stored, outcomes, events } = await adapted(example);
  expect(await send(...wrapped({ challenge: 'word-1' }))).toMatchObject({ status: 200, text: 'word-1' });
  const [body, headers] = wrapped({ events: [{ type: 'application', data: APPLICATION }] });
  expect((await send(body, { ...headers, 'X-Signature': '00' })).status).toBe(401);
  expect((await send(...wrapped({ events: [] }, 1_000_000_000))).status).toBe(401);
  expect((await send(...wrapped({ events: [] }))).status).toBe(200);
  expect(outcomes()).toEqual(['answered', 'refused-signature', 'refused-signature', 'answered']);
  expect(events.map(({ message }) => message)).toEqual([
    null,
    'X-Signature is not valid',
    'X-Time is too far from the time here',
    null,
  ]);
  expect(await stored()).toBe(0);
});

test('a challenge in the address is answered with its HMAC', async () => {
  const { send, stored } = await adapted(`export default {
    webhook({ method, query }, { secret, hmac }) {
      const code = new URLSearchParams(query).get('challengeCode');
      if (method !== 'GET' || code === null) return undefined;
      const body = JSON.stringify({ challengeCode: code, answer: Buffer.from(hmac('sha256', secret, code)).toString('hex') });
      return { answer: { status: 200, headers: { 'Content-Type': 'application/json' }, body } };
    },
  };`);
  const given = await send('?challengeCode=abc', {}, 'GET');
  const answer = createHmac('sha256', SECRET).update('abc').digest('hex');
  expect(given).toMatchObject({ status: 200, text: JSON.stringify({ challengeCode: 'abc', answer }) });
  expect(given.headers.get('content-type')).toBe('application/json');
  expect(await stored()).toBe(0);
});

test('other names of the four headers, and a challenge that is its own answer', async () => {
  const { webhook, send, stored, outcomes } = await adapted(`export default {
    webhook(request, { verify }) {
      const { headers, query } = request;
      const body = new URLSearchParams(query).get('hub.challenge');
      if (body !== null) return { answer: { status: 200, body } };
      const names = { 'x-client': 'client-id', 'x-id': 'request-id', 'x-time': 'request-timestamp', 'x-sign': 'signature' };
      const usual = Object.entries(headers).map(([name, value]) => [names[name] ?? name, value]);
      if (!verify({ ...request, headers: Object.fromEntries(usual) })) return { refuse: 'X-Sign is not valid' };
      return { events: [JSON.parse(Buffer.from(request.body).toString())] };
    },
  };`);
  const body = JSON.stringify(APPLICATION);
  const names: Readonly<Record<string, string>> = {
    ...{ 'Client-Id': 'X-Client', 'Request-Id': 'X-Id', 'Request-Timestamp': 'X-Time', Signature: 'X-Sign' },
  };
  const renamed = (secret?: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(signedHeaders(body, secret === undefined ? {} : { secret })).map(([name, value]) => [
        names[name] ?? name,
        value,
      ]),
    );
  expect((await send(body, renamed())).status).toBe(200);
  expect((await send(body, renamed('another'))).status).toBe(401);
  const answer = await send('?hub.challenge=%3Cb%3E', {}, 'GET');
  expect(answer).toMatchObject({ status: 200, text: '<b>' });
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await deliver(webhook.url, OTHER)).status).toBe(200);
  expect(await stored()).toBe(2);
  expect(outcomes()).toEqual(['stored', 'refused-signature', 'answered', 'stored']);
});

test('what the adapter leaves is read as built in, and tools.verify is the built-in check', async () => {
  const { webhook, send, stored, outcomes } = await adapted(`export default {
    webhook(request, { verify }) {
      if (request.headers['x-own'] === undefined) return undefined;
      const body = JSON.parse(Buffer.from(request.body).toString());
      return verify(request) ? { events: [body.own] } : { refuse: 'not signed' };
    },
  };`);
  expect((await deliver(webhook.url, APPLICATION)).status).toBe(200);
  expect((await deliver(webhook.url, APPLICATION, { secret: 'another' })).status).toBe(401);
  expect((await send(APPLICATION)).status).toBe(401);
  const own = { headers: { 'X-Own': '1' } };
  expect((await deliver(webhook.url, { own: OTHER }, own)).status).toBe(200);
  expect((await deliver(webhook.url, { own: OTHER }, { ...own, secret: 'another' })).status).toBe(401);
  expect(await stored()).toBe(2);
  expect(outcomes()).toEqual([
    'stored',
    'refused-signature',
    'refused-signature',
    'stored',
    'refused-signature',
  ]);
});

test.each([
  [
    'throws',
    'export default {\n  webhook() { throw new Error("no key"); },\n};',
    /adapter\.mjs:2 \(webhook\): no key/,
  ],
  ['hangs', 'export default { webhook: () => new Promise(() => {}) };', /it gave nothing within 0\.5 s/],
  ['gives nonsense', 'export default { webhook: () => ({ event: 1 }) };', /none of the known results/],
  [
    'gives what JSON cannot hold',
    'export default { webhook: () => ({ events: [1n] }) };',
    /event 1 cannot be written/,
  ],
  ['cannot be loaded', 'export default { answer() {} };', /it exports answer, which nothing calls/],
])('an adapter that %s: 503 with the reason in the log, nothing stored', async (_, text, says) => {
  const { webhook, stored, events } = await adapted(text);
  const answered = await deliver(webhook.url, APPLICATION);
  expect([answered.status, answered.headers.get('retry-after')]).toEqual([503, '30']);
  expect(answered.text).not.toMatch(/adapter/);
  expect(events).toMatchObject([
    { outcome: 'adapter-failed', message: expect.stringMatching(says) as string },
  ]);
  expect(await stored()).toBe(0);
});

test('a body over the limit never reaches the adapter, nor does another address', async () => {
  const { send, webhook, outcomes } = await adapted('export default { webhook: () => ({ events: [] }) };', {
    maxBodyBytes: 100,
  });
  expect((await send('x'.repeat(101))).status).toBe(413);
  expect((await fetch(webhook.url.replace(PATH, '/'), { method: 'POST' })).status).toBe(404);
  expect(outcomes()).toEqual(['refused-size']);
});
