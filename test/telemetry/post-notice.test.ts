import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, test } from 'vitest';
import { createPostNotifier } from '../../src/telemetry/post-notice.js';
import { planted } from '../security/planted.js';
import {
  HIDDEN_PATH,
  NEVER,
  NOTICE,
  type NoticeReceiver,
  startMailServer,
  startNoticeReceiver,
} from './receivers.js';

const SECRET = planted('receiver');

function notifier(url: string, secret: string | null = SECRET) {
  return createPostNotifier({ url, secret, version: '1.2.3', now: () => 1_767_225_600_999 });
}

async function deliver(receiver: NoticeReceiver, signal = NEVER) {
  const delivery = await notifier(receiver.url).deliver(NOTICE, signal);
  expect(JSON.stringify(delivery)).not.toContain(HIDDEN_PATH);
  return delivery;
}

test('a notice is posted as JSON, signed over time stamp and body', async () => {
  const receiver = await startNoticeReceiver();
  expect(await deliver(receiver)).toEqual({ kind: 'delivered', detail: 'it answered 200' });
  const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receiver.received;
  expect(path).toBe(`/${HIDDEN_PATH}`);
  expect(JSON.parse(body)).toEqual(NOTICE);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-placement-sync-timestamp']).toBe('1767225600');
  const hmac = createHmac('sha256', SECRET).update(`1767225600.${body}`).digest('hex');
  expect(headers['x-placement-sync-signature']).toBe(`sha256=${hmac}`);
});

test('without a secret it is not signed', async () => {
  const receiver = await startNoticeReceiver();
  await notifier(receiver.url, null).deliver(NOTICE, NEVER);
  const names = Object.keys(receiver.received[0]?.headers ?? {});
  expect(names.filter((name) => name.startsWith('x-'))).toEqual([]);
});

it.each([
  [204, 'delivered', null],
  [400, 'refused', 'it answered 400.'],
  [403, 'refused', 'it answered 403.'],
  [404, 'refused', 'it answered 404.'],
  [429, 'failed', 'it answered 429.'],
  [503, 'failed', 'it answered 503.'],
])('an answer of %i is %s', async (status, kind, reason) => {
  const receiver = await startNoticeReceiver();
  receiver.answer((response) => void response.writeHead(status).end());
  expect(await deliver(receiver)).toMatchObject({
    kind,
    ...(reason === null ? {} : { reason, inDoubt: false }),
  });
});

test('a redirect is not followed', async () => {
  const receiver = await startNoticeReceiver();
  const elsewhere = await startNoticeReceiver();
  receiver.answer((response) => void response.writeHead(307, { location: elsewhere.url }).end());
  expect(await deliver(receiver)).toMatchObject({
    kind: 'refused',
    hint: 'Redirects are not followed: set notify.url to the address it redirects to.',
  });
  expect(elsewhere.received).toEqual([]);
});

test('an answer without end is not read', async () => {
  const receiver = await startNoticeReceiver();
  const closed = new Promise<void>((resolve) => {
    receiver.answer((response: ServerResponse) => {
      response.writeHead(200);
      response.on('close', resolve);
      const write = (): void => {
        if (response.destroyed) return;
        if (response.write(Buffer.alloc(65_536))) setImmediate(write);
        else response.once('drain', write);
      };
      write();
    });
  });
  expect(await deliver(receiver)).toMatchObject({ kind: 'delivered' });
  await closed;
});

test('a receiver that gives no answer leaves it in doubt', async () => {
  const receiver = await startNoticeReceiver();
  receiver.answer(() => {});
  expect(await deliver(receiver)).toMatchObject({
    kind: 'failed',
    inDoubt: true,
    reason: 'it gave no answer within 3 s.',
  });
});

test('the end of the process cuts it off', async () => {
  const receiver = await startNoticeReceiver();
  const ending = new AbortController();
  receiver.answer(() => ending.abort());
  expect(await deliver(receiver, ending.signal)).toMatchObject({ kind: 'failed', inDoubt: true });
});

test('a receiver that is not there has certainly not got it', async () => {
  const url = await closedAddress();
  expect(await notifier(url).deliver(NOTICE, NEVER)).toEqual({
    kind: 'failed',
    inDoubt: false,
    reason: 'it cannot be reached (ECONNREFUSED).',
    hint: 'Check notify.url, and that this machine can reach it.',
  });
});

test('an unknown certificate is reported with a hint', async () => {
  const server = await startMailServer({ secure: true });
  expect(await notifier(`https://127.0.0.1:${server.port}/hidden`).deliver(NOTICE, NEVER)).toMatchObject({
    kind: 'failed',
    inDoubt: false,
    reason: expect.stringMatching(/^its certificate or its TLS is not accepted \([A-Z_]+\)\.$/) as string,
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
  });
});

/** Of a port that was just free. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/hidden`;
}
