import { createHash, createHmac, randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Inbox } from '../../src/ports/inbox.js';
import { inflate } from '../../src/runtime/http/inflate.js';
import type { ChallengeSettings } from '../../src/webhook/challenge.js';
import { fixture } from '../state/open-test-inbox.js';
import {
  type Answered,
  deliver,
  listenWith,
  openTestWebhook,
  SECRET,
  signedHeaders,
} from './open-test-webhook.js';

const MIB = 1024 * 1024;
const accepting: Pick<Inbox, 'store'> = { store: () => Promise.resolve('stored') };
/** Nothing may reach it. */
const closed: Pick<Inbox, 'store'> = {
  store: () => Promise.reject(new Error('A challenge was stored.')),
};

describe('header names', () => {
  const names = { 'X-Client-Id': 'partner', 'X-Request-Id': 'r-1', 'X-Signature': 'HMACSHA256=' };
  const headerNames = {
    clientId: 'X-Client-Id',
    requestId: 'X-Request-Id',
    timestamp: 'Request-Timestamp',
    signature: 'X-Signature',
  };

  test('are those of the configuration, and of no other', async () => {
    const { webhook, rows } = await openTestWebhook({ headerNames });
    const body = JSON.stringify(fixture('flat'));
    const signed = signedHeaders(body, { requestId: 'r-1' });
    const renamed = {
      'X-Client-Id': signed['Client-Id'],
      'X-Request-Id': 'r-1',
      'X-Signature': signed.Signature,
      'Client-Id': undefined,
      'Request-Id': undefined,
      Signature: undefined,
    };
    const { 'Request-Timestamp': timestamp } = signed;
    const reply = await deliver(webhook.url, body, { timestamp: timestamp ?? '', headers: renamed });
    expect(reply.status).toBe(200);
    expect(await rows()).toMatchObject([{ request_id: 'r-1' }]);
    expect(await deliver(webhook.url, body)).toMatchObject({
      status: 401,
      text: '{"message":"The header X-Client-Id is missing"}',
    });
  });

  test('are those that a trouble counts by', async () => {
    const refused: unknown[] = [];
    const { webhook } = await listenWith({
      inbox: {
        ...accepting,
        noteReceipts: (receipts) => Promise.resolve(void refused.push(...receipts.refused)),
      },
      headerNames,
    });
    await fetch(webhook.url, { method: 'POST', headers: names, body: '{}' });
    await fetch(webhook.url, { method: 'POST', headers: { Signature: 'x' }, body: '{}' });
    await webhook.close();
    expect(refused).toEqual([{ reason: 'header', count: 1, offsetMs: null }]);
  });
});

describe('a body in gzip', () => {
  const payload = fixture('applied-at');
  const plain = Buffer.from(JSON.stringify(payload));
  const ENCODED = { 'Content-Encoding': 'gzip' };

  /** Sends these bytes, signed over others. */
  async function deliverSigned(url: string, sent: Uint8Array, signed: Uint8Array): Promise<Answered> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...signedHeaders(signed), ...ENCODED },
      body: new Uint8Array(sent),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  test.each(['sent', 'inflated'] as const)('is read when the bytes %s are signed', async (signed) => {
    const { webhook, rows, outcomes } = await openTestWebhook();
    const sent = gzipSync(plain);
    const reply = await deliverSigned(webhook.url, sent, signed === 'sent' ? sent : plain);
    expect(reply).toMatchObject({ status: 200, text: '{}' });
    expect(await rows()).toMatchObject([
      { layout: 'applied-at', application_id: payload.id, body: plain.toString(), body_bytes: null },
    ]);
    // A repeat is one, compressed or not.
    expect((await deliver(webhook.url, plain)).status).toBe(200);
    expect(outcomes()).toEqual(['stored', 'repeat']);
  });

  test('is refused when neither is signed', async () => {
    const { webhook } = await listenWith({ inbox: closed });
    const reply = await deliverSigned(webhook.url, gzipSync(plain), Buffer.from('{}'));
    expect(reply.status).toBe(401);
  });

  test('may hold 1 MiB, however small it is itself', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: accepting });
    const text = (bytes: number) => Buffer.from(JSON.stringify('x'.repeat(bytes - 2)));
    const fits = gzipSync(text(MIB));
    expect((await deliverSigned(webhook.url, fits, fits)).status).toBe(200);
    for (const bomb of [gzipSync(text(MIB + 1)), gzipSync(Buffer.alloc(200 * MIB))]) {
      expect(bomb.length).toBeLessThan(MIB / 4);
      expect((await deliverSigned(webhook.url, bomb, bomb)).status).toBe(413);
    }
    expect(outcomes()).toEqual(['unrecognised', 'refused-size', 'refused-size']);
  });

  test('ends at the first byte over the limit', async () => {
    let taken = 0;
    const count = (bytes: Uint8Array) => void (taken += bytes.length);
    expect(await inflate([gzipSync(Buffer.alloc(200 * MIB))], 100_000, count)).toBe('too-large');
    expect(taken).toBeLessThanOrEqual(100_000);
  });

  test('takes no memory for what nobody signed', async () => {
    const { webhook } = await listenWith({ inbox: closed });
    const bomb = gzipSync(Buffer.alloc(200 * MIB));
    const before = process.memoryUsage.rss();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => deliverSigned(webhook.url, bomb, Buffer.from('{}'))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 413));
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MIB);
  });

  test.each([
    ['not gzip', Buffer.from(plain)],
    ['cut off', gzipSync(plain).subarray(0, 40)],
    ['empty', Buffer.alloc(0)],
  ])('that is %s is answered 400 when it is signed, 401 otherwise', async (_name, sent) => {
    const { webhook } = await listenWith({ inbox: closed });
    expect(await deliverSigned(webhook.url, sent, sent)).toMatchObject({
      status: 400,
      text: '{"message":"The body is not gzip"}',
    });
    expect((await deliverSigned(webhook.url, sent, Buffer.from('{}'))).status).toBe(401);
  });

  test.each(['br', 'deflate', 'gzip, gzip', 'zstd'])('%s is answered 415', async (encoding) => {
    const { webhook, outcomes } = await listenWith({ inbox: closed });
    const headers = { 'Content-Encoding': encoding };
    expect((await deliver(webhook.url, brotliCompressSync(plain), { headers })).status).toBe(415);
    expect(outcomes()).toEqual(['refused-encoding']);
  });

  test.each(['identity', 'X-GZIP'])('%s is read', async (encoding) => {
    const { webhook } = await listenWith({ inbox: accepting });
    const sent = encoding === 'identity' ? plain : gzipSync(plain);
    const reply = await deliver(webhook.url, sent, { headers: { 'Content-Encoding': encoding } });
    expect(reply.status).toBe(200);
  });
});

describe('a challenge', () => {
  const settings = (changes: Partial<ChallengeSettings> = {}): ChallengeSettings => ({
    method: 'GET',
    field: 'challenge',
    answer: 'text',
    answerField: null,
    ...changes,
  });
  const WORD = '890e4665-4dfe-4ab1-b689-ed553bceeed0';
  const post = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers, body });

  test.each([
    [{}, 'text/plain; charset=utf-8', WORD],
    [{ answer: 'json' }, 'application/json', `{"challenge":"${WORD}"}`],
    [{ answer: 'json', answerField: 'echo' }, 'application/json', `{"echo":"${WORD}"}`],
  ] as const)('by GET or POST is answered as %j says', async (changes, type, body) => {
    for (const method of ['GET', 'POST'] as const) {
      const challenge = settings({ ...changes, method });
      const { webhook, outcomes } = await listenWith({ inbox: closed, challenge });
      const response =
        method === 'GET'
          ? await fetch(`${webhook.url}?a=b&challenge=${WORD}`)
          : await post(webhook.url, JSON.stringify({ type: 'url_verification', challenge: WORD }));
      expect([response.status, await response.text()]).toEqual([200, body]);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(outcomes()).toEqual(['challenge']);
    }
  });

  test('is answered with its HMAC as LinkedIn asks for it, under the first secret', async () => {
    const challenge = settings({ field: 'challengeCode', answer: 'hmac' });
    const { webhook } = await listenWith({ inbox: closed, challenge, secrets: [SECRET, 'old'] });
    const response = await fetch(`${webhook.url}?challengeCode=${WORD}&applicationId=7`);
    expect(await response.json()).toEqual({
      challengeCode: WORD,
      challengeResponse: createHmac('sha256', SECRET).update(WORD).digest('hex'),
    });
  });

  test('may be in the address of a POST', async () => {
    const { webhook } = await listenWith({ inbox: closed, challenge: settings({ method: 'POST' }) });
    expect(await (await post(`${webhook.url}?challenge=${WORD}`, '')).text()).toBe(WORD);
  });

  test('that is signed as an event is answered and not stored, and an event is stored', async () => {
    const challenge = settings({ method: 'POST', field: 'id' });
    const { webhook, rows, outcomes } = await openTestWebhook({ challenge });
    expect(await deliver(webhook.url, { id: WORD })).toMatchObject({ status: 200, text: WORD });
    expect(await deliver(webhook.url, fixture('flat'))).toMatchObject({ status: 200, text: '{}' });
    expect(await rows()).toMatchObject([{ layout: 'flat' }]);
    expect(outcomes()).toEqual(['challenge', 'stored']);
  });

  test.each([
    [
      'a text that is signed',
      `Client-Id:partner\nRequest-Id:r\nDigest:${createHash('sha256').digest('base64')}`,
    ],
    ['a page', '<script>alert(1)</script>'],
    ['a base64 digest', createHash('sha256').digest('base64')],
    ['129 letters', 'x'.repeat(129)],
    ['nothing', ''],
  ])('that is %s is refused: its HMAC is given to nobody', async (_name, text) => {
    for (const method of ['GET', 'POST'] as const) {
      const challenge = settings({ method, answer: 'hmac' });
      const { webhook, outcomes } = await listenWith({ inbox: closed, challenge });
      const response =
        method === 'GET'
          ? await fetch(`${webhook.url}?challenge=${encodeURIComponent(text)}`)
          : await post(webhook.url, JSON.stringify({ challenge: text }));
      const body = await response.text();
      expect(response.status).toBe(400);
      expect(body).not.toContain(createHmac('sha256', SECRET).update(text).digest('hex'));
      expect(outcomes()).toEqual(['refused-challenge']);
    }
  });

  test('is refused while none is expected', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: closed });
    expect((await fetch(`${webhook.url}?challenge=${WORD}`)).status).toBe(405);
    expect((await post(webhook.url, JSON.stringify({ challenge: WORD }))).status).toBe(401);
    expect(outcomes()).toEqual(['refused-signature']);
  });

  test('leaves everything else as it is: an unsigned event is refused, and a GET without one', async () => {
    const { webhook, rows, outcomes } = await openTestWebhook({ challenge: settings({ method: 'POST' }) });
    for (const body of [
      JSON.stringify(fixture('flat')),
      JSON.stringify({ challenge: 7 }),
      JSON.stringify([{ challenge: WORD }]),
      '',
      'no JSON',
      JSON.stringify({ challenge: WORD, more: randomBytes(4_000).toString('hex') }),
    ])
      expect((await post(webhook.url, body)).status).toBe(401);
    // With a signature, it has to be right.
    const wrong = { secret: 'wrong' };
    expect((await deliver(webhook.url, { challenge: WORD }, wrong)).status).toBe(401);
    expect((await fetch(webhook.url)).status).toBe(405);
    expect(await rows()).toEqual([]);
    expect(new Set(outcomes())).toEqual(new Set(['refused-signature']));
    const other = await listenWith({ inbox: closed, challenge: settings() });
    for (const query of ['', '?challenge', '?challenge=a&challenge=b'])
      expect((await fetch(other.webhook.url + query)).status).toBe(400);
  });
});
