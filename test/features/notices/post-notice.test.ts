import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { createMailNotifier } from '../../../src/features/notices/mail-notice.js';
import { createPostNotifier } from '../../../src/features/notices/post-notice.js';
import { planted } from '../../security/planted.js';
import {
  HIDDEN_PATH,
  MAIL_PASSWORD,
  MAIL_USER,
  NEVER,
  NOTICE,
  type NoticeReceiver,
  startMailServer,
  startNoticeReceiver,
} from './receivers.js';
import { listen } from '../../loopback.js';

describe('post notice', () => {
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
    const { port, close } = await listen(createServer());
    await close();
    return `http://127.0.0.1:${port}/hidden`;
  }
});

describe('mail notice', () => {
  const USER = encodeURIComponent(MAIL_USER);
  const RIGHT = `${USER}:${encodeURIComponent(MAIL_PASSWORD)}`;
  const TO = ['ops@example.com', 'owner@example.com'];

  /** `strict`: the server is treated as one on another machine. */
  function notifier(port: number, { login = RIGHT, strict = false, scheme = 'smtp', to = TO } = {}) {
    const url = `${scheme}://${login}${login && '@'}127.0.0.1:${port}`;
    return createMailNotifier({
      url,
      from: 'placement-sync <sync@example.com>',
      to,
      isLoopback: () => !strict,
    });
  }

  test('a notice is mailed after STARTTLS and login', async () => {
    const server = await startMailServer();
    const sender = notifier(server.port);
    expect(sender.receiver).toBe(`127.0.0.1:${server.port}`);
    expect(await sender.deliver(NOTICE, NEVER)).toEqual({ kind: 'delivered', detail: 'it took the mail' });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ encrypted: true, user: MAIL_USER, to: TO });
    expect(mail?.head).toContain('Subject: placement-sync: vacancies is held\r\n');
    expect(mail?.head).toContain('Auto-Submitted: auto-generated');
    expect(mail?.head).toContain(`Message-ID: <${NOTICE.id}@placement-sync.invalid>`);
    expect(mail?.body).toContain('Half of it is gone.\r\n\r\nplacement-sync approve vacancies\r\n');
    expect(mail?.body).toContain('Subject: entity vacancies\r\nSince: 2026-01-01T00:00:00.000Z\r\n');
  });

  test('smtps:// begins with TLS, and a user is not needed', async () => {
    const server = await startMailServer({ secure: true });
    const sender = notifier(server.port, { scheme: 'smtps', login: '' });
    expect(await sender.deliver(NOTICE, NEVER)).toMatchObject({ kind: 'delivered' });
    expect(server.mails).toMatchObject([{ encrypted: true, user: null }]);
    expect(server.logins).toEqual([]);
  });

  test('a refused login is told without user and password', async () => {
    const server = await startMailServer();
    const delivery = await notifier(server.port, { login: `${USER}:wrong-word` }).deliver(NOTICE, NEVER);
    expect(delivery).toMatchObject({
      kind: 'failed',
      inDoubt: false,
      reason: 'the mail server refused user and password (535).',
      hint: expect.stringContaining('percent-encoded') as string,
    });
    expect(JSON.stringify(delivery)).not.toMatch(/wrong-word|sync@|example/);
  });

  test('on another machine an unknown certificate is refused before anything is said', async () => {
    const server = await startMailServer();
    expect(await notifier(server.port, { strict: true }).deliver(NOTICE, NEVER)).toMatchObject({
      kind: 'failed',
      inDoubt: false,
      reason: expect.stringContaining('the certificate of the mail server is not accepted') as string,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    });
    expect([server.logins, server.mails]).toEqual([[], []]);
  });

  test('on another machine nothing is said without TLS', async () => {
    const server = await startMailServer({ startTls: false });
    expect(await notifier(server.port, { strict: true }).deliver(NOTICE, NEVER)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('the mail server offers no usable TLS') as string,
      hint: expect.stringContaining('smtps://') as string,
    });
    expect([server.logins, server.mails]).toEqual([[], []]);
  });

  test('a refused receiver is told by number, and the others get the mail', async () => {
    const server = await startMailServer({ refuses: 'owner@example.com' });
    expect(await notifier(server.port).deliver(NOTICE, NEVER)).toEqual({
      kind: 'delivered',
      detail: 'it took the mail, but refused 1 of 2 receivers (see notify.smtp.to)',
    });
    const nobody = await notifier(server.port, { to: ['owner@example.com'] }).deliver(NOTICE, NEVER);
    expect(nobody).toMatchObject({
      kind: 'refused',
      reason: 'the mail server refused the sender or every receiver (550).',
    });
    expect(JSON.stringify(nobody)).not.toContain('owner@');
  });

  test('line feeds in a notice become no headers', async () => {
    const server = await startMailServer();
    const evil = 'x\r\nBcc: thief@example.com\r\n\r\n.\r\nRCPT TO:<thief@example.com>';
    const notice = { ...NOTICE, reason: evil, help: evil, worker: evil, text: evil };
    expect(await notifier(server.port).deliver(notice, NEVER)).toMatchObject({ kind: 'delivered' });
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.to).toEqual(TO);
    expect(server.mails[0]?.head).not.toContain('thief');
  });

  test('a server that says nothing is given up after seconds, and at once at the end of the process', async () => {
    const { port } = await listen(createServer(() => {}));
    expect(await notifier(port).deliver(NOTICE, NEVER)).toMatchObject({
      kind: 'failed',
      reason: 'the mail server gave no answer in time.',
    });
    expect(await notifier(port).deliver(NOTICE, AbortSignal.abort())).toMatchObject({
      kind: 'failed',
      reason: 'there was no time left.',
    });
  });

  test('a server that is not there has certainly not got it', async () => {
    expect(await notifier(9).deliver(NOTICE, NEVER)).toEqual({
      kind: 'failed',
      inDoubt: false,
      reason: 'the mail server cannot be reached (ECONNREFUSED).',
      hint: 'Check host and port in notify.smtp.url, and that this machine can reach them.',
    });
  });
});
