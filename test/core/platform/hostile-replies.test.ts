import type { Socket } from 'node:net';
import { onTestFinished, describe, expect, it } from 'vitest';
import { judgeReply } from '../../../src/core/domain/reply/judge-reply.js';
import type { Platform, PlatformRequest } from '../../../src/core/ports/platform.js';
import { clientOf, flood, httpReply, startRawServer, type RawServer } from './raw-server.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const REFERENCE = '0b6e1a57-5f1a-4c53-8f0f-9e2a7c1d2b3c';
const FOREIGN = 'ffffffff-5f1a-4c53-8f0f-9e2a7c1d2b3c';
const PUT: PlatformRequest = {
  operation: 'putCompany',
  platformId: ID,
  requestId: 'req-1',
  body: { name: 'x' },
};

const bodyOf = (reference: string) =>
  JSON.stringify({ data: { id: ID, name: 'x', reference, created_at: '2026-03-02 15:00:00' }, meta: {} });
const BODY = bodyOf(REFERENCE);
const GOOD = httpReply('200 OK', BODY);
const CHUNKED = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n`;
const CHUNK = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n`;

async function serve(
  answer: (socket: Socket, request: number, connection: number) => void,
  options: { readonly early?: boolean; readonly timeoutMs?: number } = {},
): Promise<{ readonly server: RawServer; readonly platform: Platform }> {
  const server = await startRawServer(answer, options);
  const platform = clientOf(server.port, { timeoutMs: options.timeoutMs ?? 5_000 });
  onTestFinished(() => platform.close());
  return { server, platform };
}

const judged = async (platform: Platform) =>
  judgeReply(await platform.send(PUT), { method: 'PUT', now: Date.now() });

it('a folded header is not read', async () => {
  const server = await startRawServer((socket) => {
    socket.write(httpReply('200 OK', BODY, 'X-Trace: a\r\n b'));
  });
  const platform = clientOf(server.port);
  onTestFinished(() => platform.close());
  const code = expect.stringMatching(/^HPE_/) as string;
  expect(await platform.send(PUT)).toMatchObject({ kind: 'silent', code });
});

describe('a reply that changes the protocol', () => {
  it.each([
    ['to another', 'Upgrade: websocket', 'Connection: Upgrade'],
    ['without a name for it', 'X-Note: none'],
  ])('%s is not understood, and its connection is closed', async (_, ...headers) => {
    const answer = `HTTP/1.1 101 Switching Protocols\r\n${headers.join('\r\n')}\r\n\r\n`;
    const { server, platform } = await serve((socket, _request, connection) =>
      socket.write(connection === 1 ? `${answer}hello` : GOOD),
    );
    expect(await judged(platform)).toEqual({
      kind: 'deferred',
      known: false,
      reached: true,
      statusCode: 101,
      message: 'HTTP 101: the server changed to another protocol',
    });
    // With room for one connection only: none was lost.
    expect(await judged(platform)).toMatchObject({ kind: 'accepted', reference: REFERENCE });
    await platform.close();
    await server.leftAlone();
  });
});

describe('a reply that is no whole reply', () => {
  const interim = (line: string) => (socket: Socket) =>
    flood(socket, `HTTP/1.1 ${line}\r\nLink: </a>; rel=preload\r\n\r\n`);
  const cases: [string, (socket: Socket) => void][] = [
    ['100 Continue without end', interim('100 Continue')],
    ['102 Processing without end', interim('102 Processing')],
    ['103 Early Hints without end', interim('103 Early Hints')],
    ['headers without end', (socket) => (socket.write('HTTP/1.1 200 OK\r\n'), flood(socket, 'X-A: b\r\n'))],
    ['a header without end', (socket) => (socket.write('HTTP/1.1 200 OK\r\nX: '), flood(socket, 'b'))],
    [
      'trailers without end',
      (socket) => (socket.write(`${CHUNKED}\r\n${CHUNK}0\r\n`), flood(socket, 'X-A: b\r\n')),
    ],
    ['a chunk extension without end', (socket) => (socket.write(`${CHUNKED}\r\n5;`), flood(socket, 'a=b;'))],
    [
      'chunks without end',
      (socket) => (socket.write(`${CHUNKED}\r\n`), flood(socket, `3e8\r\n${'a'.repeat(1000)}\r\n`)),
    ],
    ['a length and chunks', (socket) => socket.write(`${CHUNKED}Content-Length: 5\r\n\r\n${CHUNK}0\r\n\r\n`)],
    ['two lengths', (socket) => socket.write(httpReply('200 OK', BODY, 'Content-Length: 5'))],
    ['a chunk of no size', (socket) => socket.write(`${CHUNKED}\r\nzz\r\n${BODY}\r\n0\r\n\r\n`)],
    ['nothing, half-closed', (socket) => socket.end()],
    ['half a body, half-closed', (socket) => socket.end(GOOD.slice(0, -9))],
  ];
  it.each(cases)(
    '(%s) leaves unknown what the platform did, and its connection is closed',
    async (name, answer) => {
      const { server, platform } = await serve((socket, _request, connection) =>
        connection === 1 ? answer(socket) : void socket.write(GOOD),
      );
      const judgement = await judged(platform);
      expect(judgement).toMatchObject({ kind: 'deferred', known: false, statusCode: null });
      // The time-out ends everything, but none of these has to wait for it.
      expect(JSON.stringify(judgement)).not.toContain('ETIMEDOUT');
      expect(await judged(platform)).toMatchObject({ kind: 'accepted', reference: REFERENCE });
      // Where nothing came at all, the port is asked once whether it speaks TLS.
      expect(server.connections()).toBe(name === 'nothing, half-closed' ? 3 : 2);
      await platform.close();
      await server.leftAlone();
    },
  );

  it('but a few interim replies before it do no harm', async () => {
    const interims = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const { platform } = await serve((socket) => socket.write(interims + GOOD));
    expect(await judged(platform)).toMatchObject({ kind: 'accepted', reference: REFERENCE });
  });

  it.each([
    ['a 204 with a body', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['a 304 with a body', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
  ])('(%s) does not lend its body to the next request', async (_, head) => {
    const { server, platform } = await serve((socket, _request, connection) =>
      socket.write(connection === 1 ? head + httpReply('200 OK', bodyOf(FOREIGN)) : GOOD),
    );
    expect((await judged(platform)).kind).not.toBe('accepted');
    expect(await judged(platform)).toMatchObject({ kind: 'accepted', reference: REFERENCE });
    expect(server.connections()).toBe(2);
  });
});

describe('a second reply on a connection', () => {
  it('that comes with the first is not the next request’s', async () => {
    const { platform } = await serve((socket, request, connection) =>
      socket.write(request + connection === 2 ? GOOD + httpReply('200 OK', bodyOf(FOREIGN)) : GOOD),
    );
    for (let i = 0; i < 3; i++) expect(await judged(platform)).toMatchObject({ reference: REFERENCE });
  });

  it('that comes while the connection is idle closes it', async () => {
    let idle: Socket | undefined;
    const { server, platform } = await serve((socket) => {
      idle = socket;
      socket.write(GOOD);
    });
    await judged(platform);
    // Half of it: the rest would come with the next request.
    const half = httpReply('200 OK', bodyOf(FOREIGN)).slice(0, 60);
    await new Promise<unknown>((resolve) => idle?.write(half, resolve));
    // It has arrived; it is read in the next turn.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await judged(platform)).toMatchObject({ reference: REFERENCE });
    expect(server.connections()).toBe(2);
  });
});

describe('a reply that comes before the request was sent', () => {
  const LARGE = { ...PUT, body: { name: 'x'.repeat(16 * 1024 * 1024) } };

  it.each([
    ['an acceptance leaves unknown what the platform did', GOOD, { kind: 'silent', code: 'ERR_EARLY_REPLY' }],
    ['a refusal is understood', httpReply('413 Payload Too Large', '{}'), { kind: 'answered', status: 413 }],
  ])('%s, and the connection is not kept', async (_, answer, expected) => {
    const { server, platform } = await serve((socket) => socket.write(answer), { early: true });
    expect(await platform.send(LARGE)).toMatchObject(expected);
    // There is room for one connection only.
    expect(await platform.send(PUT)).toMatchObject({ kind: 'answered' });
    expect(server.connections()).toBe(2);
  });
});

it('a server that never closes what it said it would close is left', async () => {
  const { server, platform } = await serve((socket) =>
    socket.write(httpReply('200 OK', BODY, 'Connection: close')),
  );
  expect(await judged(platform)).toMatchObject({ kind: 'accepted' });
  await server.leftAlone();
});

describe('a connection that an earlier request has used', () => {
  const used = async (then: (socket: Socket) => void) => {
    const { server, platform } = await serve((socket, request) =>
      request === 1 ? socket.write(GOOD) : then(socket),
    );
    expect(await platform.send(PUT)).toMatchObject({ kind: 'answered', status: 200 });
    return { server, platform };
  };
  const closed = { kind: 'silent', code: 'ECONNRESET', onIdleConnection: true };

  it.each([
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['is ended', (socket: Socket) => socket.end()],
  ])(
    'and that %s without a byte of a reply is told apart, and another one can be asked for',
    async (_, end) => {
      const { server, platform } = await used(end);
      expect(await platform.send(PUT)).toMatchObject(closed);
      // Again a kept one and a reset: `newConnection` uses none that waits.
      expect(await platform.send(PUT)).toMatchObject({ kind: 'answered' });
      expect(await platform.send({ ...PUT, newConnection: true })).toMatchObject({ kind: 'answered' });
      expect(server.connections()).toBe(3);
      await platform.close();
      await server.leftAlone();
    },
  );

  it('and that ends within the head of a reply is one without a reply', async () => {
    const { platform } = await used((socket) => socket.end('HTTP/1.1 200'));
    const reply = await platform.send(PUT);
    expect(reply).toMatchObject({ kind: 'silent' });
    expect(reply).not.toHaveProperty('onIdleConnection');
  });

  it('is another thing than a new one that is reset', async () => {
    const { platform } = await serve((socket) => socket.resetAndDestroy());
    const reply = await platform.send(PUT);
    expect(reply).toMatchObject({ kind: 'silent', code: 'ECONNRESET' });
    expect(reply).not.toHaveProperty('onIdleConnection');
  });
});
