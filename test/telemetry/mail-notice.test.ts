import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMailNotifier } from '../../src/telemetry/mail-notice.js';
import { MAIL_PASSWORD, MAIL_USER, NEVER, NOTICE, startMailServer } from './receivers.js';

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
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
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
