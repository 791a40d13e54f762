import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signatureProfile } from '../../../src/core/contract/signature.js';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { SyncEvent, WebhookOutcome } from '../../../src/core/domain/events.js';
import type { Inbox } from '../../../src/features/webhook/state/inbox.js';
import { countOutcomes } from '../../../src/features/webhook/start-webhook.js';
import { fixture } from './state/open-test-inbox.js';
import {
  deliver,
  type Delivery,
  listenWith,
  openTestWebhook,
  PATH,
  SECRET,
  signedHeaders,
} from './open-test-webhook.js';

const MIB = 1024 * 1024;
const accepting: Pick<Inbox, 'store'> = { store: () => Promise.resolve('stored') };
const failing: Pick<Inbox, 'store'> = {
  store: () =>
    Promise.reject(new SyncError('state-unavailable', 'The state database is away', { scope: 'run' })),
};
const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

test('a minute with webhooks ends with their counts, a minute without says nothing, and the stop reports the rest', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const events: SyncEvent[] = [];
  const counted = countOutcomes((event) => events.push(event));
  const receive = (outcome: WebhookOutcome): void =>
    counted.emit({ type: 'webhook-event', outcome, message: null, requestId: null, applicationId: null });
  const told = () => events.flatMap((event) => (event.type === 'webhooks-received' ? [event.counts] : []));
  (['stored', 'repeat', 'stored', 'refused-signature'] as const).forEach(receive);
  vi.advanceTimersByTime(59_999);
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(1);
  const first = { stored: 2, repeat: 1, 'refused-signature': 1 };
  expect(told()).toEqual([first]);
  vi.advanceTimersByTime(600_000);
  expect(told()).toEqual([first]);
  receive('storage-failed');
  counted.close();
  counted.close();
  vi.advanceTimersByTime(600_000);
  expect(told()).toEqual([first, { 'storage-failed': 1 }]);
});

test('the receiver that stops reports how many webhooks came, after the last one was answered', async () => {
  const events: SyncEvent[] = [];
  const { webhook } = await listenWith({ inbox: accepting, emit: (event) => events.push(event) });
  await deliver(webhook.url, fixture('flat'));
  await deliver(webhook.url, fixture('flat'), { secret: 'another' });
  await webhook.close();
  expect(events.at(-1)).toEqual({ type: 'webhooks-received', counts: { stored: 1, 'refused-signature': 1 } });
});

describe('an authentic webhook', () => {
  test.each(['applied-at', 'flat'] as const)('in layout %s is stored and answered 200 {}', async (layout) => {
    const { webhook, rows, events } = await openTestWebhook();
    const payload = fixture(layout);
    const reply = await deliver(webhook.url, payload, { requestId: 'request-1' });
    expect(reply).toMatchObject({ status: 200, text: '{}' });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(await rows()).toMatchObject([
      { layout, application_id: payload.id, request_id: 'request-1', body: JSON.stringify(payload) },
    ]);
    expect(events).toEqual([
      {
        type: 'webhook-event',
        outcome: 'stored',
        message: null,
        requestId: 'request-1',
        applicationId: payload.id,
      },
    ]);
  });

  test.each([
    ['a cancelled-notification', fixture('cancelled')],
    ['an unknown event', { event: 'interview-scheduled', id: 7 }],
    ['a list', []],
    ['a text', '"hello"'],
  ])('that is %s is stored as unrecognised', async (_name, payload) => {
    const { webhook, rows, outcomes } = await openTestWebhook();
    expect(await deliver(webhook.url, payload)).toMatchObject({ status: 200, text: '{}' });
    expect(await rows()).toMatchObject([
      {
        layout: 'unrecognised',
        application_id: null,
        body: typeof payload === 'string' ? payload : JSON.stringify(payload),
      },
    ]);
    expect(outcomes()).toEqual(['unrecognised']);
  });

  test('that comes again is answered 200 {} and stored once', async () => {
    const { webhook, rows, outcomes } = await openTestWebhook();
    for (const payload of [fixture('applied-at'), fixture('applied-at')])
      expect(await deliver(webhook.url, payload)).toMatchObject({ status: 200, text: '{}' });
    const cancelled = { requestId: 'same' };
    for (const delivery of [cancelled, cancelled, {}])
      expect((await deliver(webhook.url, fixture('cancelled'), delivery)).status).toBe(200);
    expect(outcomes()).toEqual(['stored', 'repeat', 'unrecognised', 'repeat', 'unrecognised']);
    expect(await rows()).toHaveLength(3);
  });
});

describe('several events in one body', () => {
  test.each([
    ['a list', [fixture('applied-at'), fixture('cancelled'), fixture('flat')]],
    [
      'the data of an envelope',
      { event: 'new-job-application', data: [fixture('applied-at'), { id: 'x' }, fixture('flat')] },
    ],
  ])('that is %s are stored in a row each', async (_name, payload) => {
    const { webhook, rows, outcomes } = await openTestWebhook();
    for (let time = 0; time < 2; time += 1)
      expect(await deliver(webhook.url, payload, { requestId: 'r' })).toMatchObject({
        status: 200,
        text: '{}',
      });
    const stored = await rows();
    expect(stored.map(({ layout }) => layout)).toEqual(['applied-at', 'unrecognised', 'flat']);
    expect(stored.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual(
      Array.isArray(payload) ? payload : payload.data.map((data) => ({ ...payload, data })),
    );
    expect(outcomes()).toEqual(['unrecognised', 'repeat']);
  });

  test('are stored all or none', async () => {
    const { webhook, rows, takeOver } = await openTestWebhook();
    await takeOver(`perform 1 / (case when new.layout = 'flat' then 0 else 1 end)`);
    const reply = await deliver(webhook.url, [fixture('applied-at'), fixture('flat')]);
    expect(reply.status).toBe(503);
    expect(await rows()).toEqual([]);
  });

  test('nested too deep to be written again are kept as they came', async () => {
    const { webhook, rows } = await openTestWebhook();
    const body = `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`;
    expect((await deliver(webhook.url, body)).status).toBe(200);
    expect(await rows()).toMatchObject([{ layout: 'unrecognised', body }]);
  });
});

describe('the signature', () => {
  test('of any current secret counts, and of no other', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: accepting, secrets: ['new', 'old'] });
    for (const secret of ['new', 'old'])
      expect((await deliver(webhook.url, fixture('flat'), { secret })).status).toBe(200);
    const reply = await deliver(webhook.url, fixture('flat'), { secret: 'older' });
    expect(reply).toMatchObject({ status: 401, text: '{"message":"Signature is not valid"}' });
    expect(outcomes()).toEqual(['stored', 'stored', 'refused-signature']);
  });

  test('is over the bytes as sent', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const body = ` ${JSON.stringify(fixture('flat'), null, 3)}\n`;
    expect((await deliver(webhook.url, body)).status).toBe(200);
    const signature = signedHeaders(body, { requestId: 'r' }).Signature;
    const compact = JSON.stringify(fixture('flat'));
    const reply = await deliver(webhook.url, compact, { requestId: 'r', headers: { Signature: signature } });
    expect(reply.status).toBe(401);
  });

  test('is over the signed path where a proxy changes it', async () => {
    const { webhook } = await listenWith({ inbox: accepting, signedPath: '/partner/hooks' });
    expect((await deliver(webhook.url, fixture('flat'), { signedPath: '/partner/hooks' })).status).toBe(200);
    expect((await deliver(webhook.url, fixture('flat'), { signedPath: PATH })).status).toBe(401);
  });

  test('does not cover the query', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    expect((await deliver(`${webhook.url}?from=platform`, fixture('flat'))).status).toBe(200);
  });

  test.each(['Client-Id', 'Request-Id', 'Request-Timestamp', 'Signature'])(
    'is not valid without %s, nor when that is empty',
    async (name) => {
      const { webhook } = await listenWith({ inbox: accepting });
      for (const value of [undefined, '']) {
        const reply = await deliver(webhook.url, fixture('flat'), { headers: { [name]: value } });
        expect(reply.status).toBe(401);
      }
    },
  );

  test('is made by the profile of the configuration', async () => {
    const profile = signatureProfile('method-path-hex');
    const { webhook } = await listenWith({ inbox: accepting, profile });
    const body = JSON.stringify(fixture('flat'));
    const timestamp = utc(Date.now());
    const signature = profile.signature(
      {
        method: 'POST',
        clientId: 'partner',
        requestId: 'r',
        timestamp,
        requestTarget: PATH,
        body: Buffer.from(body),
      },
      SECRET,
    );
    const signed = { requestId: 'r', timestamp, headers: { Signature: signature } };
    expect((await deliver(webhook.url, body, signed)).status).toBe(200);
    expect((await deliver(webhook.url, body)).status).toBe(401);
  });
});

describe('the time', () => {
  const now = Date.UTC(2026, 2, 1, 12, 0, 0);
  const clock = { now: () => now };

  test.each([
    [-300_000, 200],
    [300_000, 200],
    [-301_000, 401],
    [301_000, 401],
  ])('%d ms off is answered %d', async (offset, status) => {
    const { webhook, outcomes } = await listenWith({ inbox: accepting, clock });
    const reply = await deliver(webhook.url, fixture('flat'), { timestamp: utc(now + offset) });
    expect(reply.status).toBe(status);
    expect(outcomes()).toEqual([status === 200 ? 'stored' : 'refused-time']);
  });

  test('that is too far off is reported as how far, because that shows a zone or a clock', async () => {
    const { webhook, events } = await listenWith({ inbox: accepting, clock });
    for (const timestamp of ['2026-03-01T19:00:00', utc(now - 2_400_000)])
      await deliver(webhook.url, fixture('flat'), { timestamp });
    expect(events.map(({ message }) => message)).toEqual([
      'Request-Timestamp is 7 hours ahead of the clock here',
      'Request-Timestamp is 40 minutes behind the clock here',
    ]);
  });

  test('is judged by when the request arrived, not by when its body or the inbox was done', async () => {
    let time = now;
    const { webhook } = await listenWith({ inbox: accepting, clock: { now: () => time } });
    const body = JSON.stringify(fixture('flat'));
    async function* slowly() {
      yield Buffer.from(body.slice(0, 10));
      await new Promise((resolve) => setTimeout(resolve, 300));
      time = now + 3_600_000;
      yield Buffer.from(body.slice(10));
    }
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: signedHeaders(body, { timestamp: utc(now) }),
      body: ReadableStream.from(slowly()),
      duplex: 'half',
    });
    expect(response.status).toBe(200);
  });

  test('is judged before the signature, which needs the whole body', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: accepting, clock });
    await deliver(webhook.url, fixture('flat'), { timestamp: utc(0), secret: 'wrong' });
    expect(outcomes()).toEqual(['refused-time']);
  });
});

describe('refusals', () => {
  test('a body of 1 MiB is taken and one byte more is answered 413', async () => {
    const { webhook, rows, outcomes } = await openTestWebhook();
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ ...fixture('flat'), more: '' });
      return JSON.stringify({ ...fixture('flat'), more: 'x'.repeat(bytes - empty.length) });
    };
    expect((await deliver(webhook.url, sized(MIB))).status).toBe(200);
    expect((await deliver(webhook.url, sized(MIB + 1))).status).toBe(413);
    expect(await rows()).toHaveLength(1);
    expect(outcomes()).toEqual(['stored', 'refused-size']);
  });

  test('size is judged also when it is not announced', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const body = Buffer.alloc(3 * MIB, 0x20);
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: signedHeaders(body),
      body: ReadableStream.from([body.subarray(0, MIB), body.subarray(MIB)]),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  test('come in the order 413, 401, 400, 503', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: failing });
    const large = `{"broken": ${'x'.repeat(MIB)}`;
    const wrong = { secret: 'wrong' };
    const statuses = [
      (await deliver(webhook.url, large, wrong)).status,
      (await deliver(webhook.url, '{"broken"', wrong)).status,
      (await deliver(webhook.url, '{"broken"')).status,
      (await deliver(webhook.url, fixture('flat'))).status,
    ];
    expect(statuses).toEqual([413, 401, 400, 503]);
    expect(outcomes()).toEqual(['refused-size', 'refused-signature', 'refused-not-json', 'storage-failed']);
  });

  test.each(['', '   ', '{"a":1', 'hello', '{"a":"\u0000"}', '{} {}'])('%j is no JSON: 400', async (body) => {
    const { webhook } = await listenWith({ inbox: accepting });
    expect(await deliver(webhook.url, body)).toMatchObject({
      status: 400,
      text: '{"message":"The body is not JSON"}',
    });
  });

  test('show nothing of the body, and name no server', async () => {
    const { webhook, events } = await listenWith({ inbox: failing });
    const replies = [
      await deliver(webhook.url, fixture('flat')),
      await deliver(webhook.url, fixture('flat'), { secret: 'wrong' }),
      await deliver(webhook.url, `{"name": "Budi Santoso"`),
    ];
    const shown = JSON.stringify([replies.map(({ text }) => text), events]);
    expect(shown).not.toMatch(/Budi|Santoso|example\.com/);
    for (const { headers } of replies) {
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
    // What somebody else sent as a Request-Id has no place in a log.
    expect(events.map(({ requestId }) => requestId !== null)).toEqual([true, false, true]);
  });
});

describe('storage that fails', () => {
  test('is answered 503 with Retry-After, and the next try is stored', async () => {
    const { webhook, takeAway, rows, outcomes, events } = await openTestWebhook();
    const giveBack = await takeAway();
    const reply = await deliver(webhook.url, fixture('flat'));
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    await giveBack();
    expect((await deliver(webhook.url, fixture('flat'))).status).toBe(200);
    expect(await rows()).toHaveLength(1);
    expect(outcomes()).toEqual(['storage-failed', 'stored']);
    expect(events[0]?.message).toMatch(/the state database/i);
  });

  test('is answered 503 also when the inbox never answers', async () => {
    const { webhook } = await listenWith({
      inbox: { store: () => new Promise(() => {}) },
      storeTimeoutMs: 50,
    });
    expect((await deliver(webhook.url, fixture('flat'))).status).toBe(503);
  });
});

describe('what was refused', () => {
  const forged = { secret: 'forged' };

  test('is counted with the reason of the latest, until a webhook is accepted', async () => {
    const { webhook, inbox } = await openTestWebhook();
    const noted = async () => {
      await vi.waitFor(async () => expect(await inbox.refused()).toMatchObject({ count: 3 }), 5_000);
      return inbox.refused();
    };
    for (const delivery of [forged, forged, { timestamp: utc(Date.now() + 7 * 3_600_000) }])
      expect((await deliver(webhook.url, fixture('flat'), delivery)).status).toBe(401);
    const refused = await noted();
    expect(refused).toMatchObject({ reason: 'time' });
    expect(Math.round((refused?.offsetMs ?? 0) / 60_000)).toBe(7 * 60);
    expect(refused?.since.getTime()).toBeLessThanOrEqual(refused?.lastAt.getTime() ?? 0);

    expect((await deliver(webhook.url, fixture('flat'))).status).toBe(200);
    await webhook.close();
    expect(await inbox.refused()).toBeNull();
  });

  test.each<[string, Parameters<typeof deliver>[1], Delivery]>([
    ['header', fixture('flat'), { headers: { 'Request-Id': undefined } }],
    ['signature', fixture('flat'), forged],
    ['time', fixture('flat'), { timestamp: 'yesterday' }],
    ['size', ' '.repeat(MIB + 1), {}],
    ['json', '<application/>', {}],
  ])('says why: %s', async (reason, payload, delivery) => {
    const { webhook, inbox } = await openTestWebhook();
    await deliver(webhook.url, payload, delivery);
    await webhook.close();
    expect(await inbox.refused()).toMatchObject({ count: 1, reason, offsetMs: null });
  });

  test('of a stranger without client id and signature does not count', async () => {
    const { webhook, inbox } = await openTestWebhook();
    const headers = { 'Client-Id': undefined, Signature: undefined };
    expect((await deliver(webhook.url, fixture('flat'), { headers })).status).toBe(401);
    await webhook.close();
    expect(await inbox.refused()).toBeNull();
  });

  test('is written once a second at most, and again after a database that was away', async () => {
    const writes: Parameters<Inbox['noteReceipts']>[0][] = [];
    let away = true;
    const { webhook } = await listenWith({
      inbox: {
        ...accepting,
        noteReceipts(receipts) {
          writes.push(receipts);
          return away ? Promise.reject(new Error('away')) : Promise.resolve();
        },
      },
    });
    for (let sent = 0; sent < 20; sent += 1) await deliver(webhook.url, fixture('flat'), forged);
    await vi.waitFor(() => expect(writes.length).toBeGreaterThan(0), 5_000);
    const few = writes.length;
    expect(few).toBeLessThan(5);
    away = false;
    await webhook.close();
    expect(writes).toHaveLength(few + 1);
    expect(writes.at(-1)).toEqual({
      accepted: false,
      refused: [{ reason: 'signature', count: 20, offsetMs: null }],
    });
  });
});

describe('the public listener', () => {
  test.each([
    '/',
    '/livez',
    '/metrics',
    `${PATH}/`,
    `${PATH}/x`,
    '/webhooks/job%2Dapplications',
    '/WEBHOOKS/job-applications',
  ])('answers 404 at %s', async (path) => {
    const { webhook, events } = await listenWith({ inbox: accepting });
    const base = webhook.url.slice(0, -PATH.length);
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: '{}' } : {};
      const response = await fetch(base + path, { method, ...body });
      expect(response.status).toBe(404);
    }
    expect(events).toEqual([]);
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers 405 to %s', async (method) => {
    const { webhook } = await listenWith({ inbox: accepting });
    const response = await fetch(webhook.url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  test.each([[[]], [['']], [['good', '']]])('does not start with the secrets %j', async (secrets) => {
    await expect(listenWith({ inbox: accepting, secrets })).rejects.toMatchObject({ code: 'config-invalid' });
  });

  test('puts brackets around an IPv6 address, whatever it says of it', async () => {
    const { webhook } = await listenWith({ inbox: accepting, host: '::1' });
    expect(webhook.url).toBe(`http://[::1]:${webhook.port}${PATH}`);
    await expect(listenWith({ inbox: accepting, host: '::1', port: webhook.port })).rejects.toMatchObject({
      message: `The webhook cannot listen on [::1]:${webhook.port}: EADDRINUSE.`,
    });
  });

  test('says so when its port is taken', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    await expect(listenWith({ inbox: accepting, port: webhook.port })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('EADDRINUSE') as string,
    });
  });

  test('answers what arrived before it closes, and takes nothing more', async () => {
    let release: (stored: 'stored') => void = () => {};
    const reached = new Promise<void>((arrived) => {
      inbox.store = () => {
        arrived();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const { webhook } = await listenWith({ inbox });
    const underWay = deliver(webhook.url, fixture('flat'));
    await reached;
    const closing = webhook.close();
    await expect(deliver(webhook.url, fixture('flat'))).rejects.toThrow();
    release('stored');
    expect((await underWay).status).toBe(200);
    await closing;
  });
});

const inbox: { store: Inbox['store'] } = { store: () => Promise.resolve('stored') };
