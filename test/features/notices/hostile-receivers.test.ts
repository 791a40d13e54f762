import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { NoticeDelivery } from '../../../src/features/notices/notifier.js';
import { createMailNotifier } from '../../../src/features/notices/mail-notice.js';
import { createPostNotifier } from '../../../src/features/notices/post-notice.js';
import { flood, startRawServer } from '../../core/platform/raw-server.js';
import { NEVER, NOTICE } from './receivers.js';
import { listen } from '../../loopback.js';

/** Posts to a server that answers so; the connection is left, and there is no second one. */
async function post(answer: (socket: Socket) => void): Promise<NoticeDelivery> {
  const server = await startRawServer(answer);
  const url = `http://127.0.0.1:${server.port}/hook`;
  const delivery = await createPostNotifier({ url, secret: null, version: '1', now: () => 0 }).deliver(
    NOTICE,
    NEVER,
  );
  await server.leftAlone();
  expect(server.connections()).toBe(1);
  return delivery;
}

it.each<[string, (socket: Socket) => void, Partial<NoticeDelivery> & { reason?: string }]>([
  [
    'changes the protocol',
    (socket) =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello',
      ),
    { kind: 'refused', reason: 'it answered 101.' },
  ],
  [
    'changes the protocol to none',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    { kind: 'refused', reason: 'it answered 101.' },
  ],
  [
    'has a body without end',
    (socket) => (socket.write('HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n'), flood(socket, 'x')),
    { kind: 'delivered' },
  ],
  [
    'never closes its connection',
    (socket) => socket.write('HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=600\r\n\r\n'),
    { kind: 'delivered' },
  ],
  [
    'has headers without end',
    (socket) => (socket.write('HTTP/1.1 200 OK\r\n'), flood(socket, 'X-A: b\r\n')),
    { kind: 'failed', reason: 'its answer is not HTTP (HPE_HEADER_OVERFLOW).' },
  ],
  [
    'is not HTTP',
    (socket) => socket.write('220 mail.example.com ESMTP\r\n'),
    { kind: 'failed', reason: 'its answer is not HTTP (HPE_INVALID_CONSTANT).' },
  ],
  [
    'ends before it begins',
    (socket) => socket.end(),
    { kind: 'failed', reason: 'it closed the connection without an answer (ECONNRESET).' },
  ],
])('a receiver whose answer %s holds nothing up, and is left', async (_, answer, expected) => {
  const delivery = await post(answer);
  expect(delivery).toMatchObject(expected);
  // It may have acted on the message.
  if (delivery.kind === 'failed') expect(delivery.inDoubt).toBe(true);
});

type Answers = Readonly<Record<string, (socket: Socket) => void>>;

/** Mails by a server that answers as usual, but to these commands; `.` ends the message. */
async function mail(answers: Answers, { local = true } = {}): Promise<NoticeDelivery> {
  const usual: Readonly<Record<string, string>> = {
    greeting: '220 hello',
    EHLO: '250 hello',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go on',
    '.': '250 taken',
    QUIT: '221 bye',
  };
  const left: Promise<void>[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    left.push(new Promise((resolve) => void socket.once('close', resolve)));
    socket.on('error', () => undefined);
    const answer = (command: string) => {
      const text = usual[command];
      if (answers[command]) answers[command](socket);
      else if (text) socket.write(`${text}\r\n`);
    };
    let unread = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = (unread + text).split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) answer(line.split(' ')[0] ?? '');
    });
    answer('greeting');
  });
  const { port } = await listen(server);
  const delivery = await createMailNotifier({
    url: `smtp://127.0.0.1:${port}`,
    from: 'a@example.com',
    to: ['b@example.com'],
    isLoopback: () => local,
  }).deliver(NOTICE, NEVER);
  await Promise.all(left);
  return delivery;
}

it.each<[string, Answers, { reason: string }]>([
  [
    'greets without end',
    { greeting: (socket) => flood(socket, '220-hello\r\n') },
    { reason: 'the mail server does not answer in SMTP (EPROTOCOL).' },
  ],
  [
    'is a web server',
    { greeting: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n') },
    { reason: 'the mail server does not answer in SMTP (EPROTOCOL).' },
  ],
  [
    'answers in lines without end',
    { MAIL: (socket) => flood(socket, '250-ok\r\n') },
    { reason: 'the mail server does not answer in SMTP (EPROTOCOL).' },
  ],
  [
    'closes at once',
    { greeting: (socket) => socket.end() },
    { reason: 'the mail server closed the connection (ECONNECTION).' },
  ],
  [
    'drops in the message',
    { DATA: (socket) => socket.end('354 go on\r\n') },
    { reason: 'the mail server closed the connection (ECONNECTION).' },
  ],
  [
    'drops after the message',
    { '.': (socket) => socket.end() },
    { reason: 'the mail server closed the connection (ECONNECTION).' },
  ],
])('a mail server that %s holds nothing up, is left, and may have the mail', async (_, answers, expected) => {
  expect(await mail(answers)).toMatchObject({ kind: 'failed', inDoubt: true, ...expected });
});

it('a mail server that says no TLS after STARTTLS is told as that, and certainly has no mail', async () => {
  const answers: Answers = {
    EHLO: (socket) => socket.write('250-hello\r\n250 STARTTLS\r\n'),
    STARTTLS: (socket) => (socket.write('220 go on\r\n'), flood(socket, 'no TLS at all\r\n')),
  };
  expect(await mail(answers, { local: false })).toMatchObject({
    kind: 'failed',
    inDoubt: false,
    reason: 'the mail server offers no usable TLS (ERR_SSL_WRONG_VERSION_NUMBER).',
  });
});
