import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Inbox } from '../../../src/features/webhook/state/inbox.js';
import { inflate } from '../../../src/features/http/inflate.js';
import { fixture } from './state/open-test-inbox.js';
import { type Answered, deliver, listenWith, openTestWebhook, signedHeaders } from './open-test-webhook.js';

const MIB = 1024 * 1024;
const accepting: Pick<Inbox, 'store'> = { store: () => Promise.resolve('stored') };
/** Nothing may reach it. */
const closed: Pick<Inbox, 'store'> = {
  store: () => Promise.reject(new Error('What nobody signed was stored.')),
};

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
