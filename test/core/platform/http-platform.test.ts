import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { operation, OPERATIONS } from '../../../src/core/entities/index.js';
import type { Reply } from '../../../src/core/domain/reply/reply.js';
import { createHttpPlatform, type HttpPlatformOptions } from '../../../src/core/platform/http-platform.js';
import type { Platform, PlatformRequest } from '../../../src/core/ports/platform.js';
import { planted } from '../../security/planted.js';
import { fakeClock } from '../../fake-time.js';
import { clientOf } from './raw-server.js';
import { type Received, startLoopbackServer } from './servers.js';
import { listen } from '../../loopback.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const REFERENCE = '0b6e1a57-5f1a-4c53-8f0f-9e2a7c1d2b3c';
const SECRET = planted('client');
const NOW = Date.parse('2026-03-02T08:00:00.900Z');
const PUT: PlatformRequest = {
  operation: 'putCompany',
  platformId: ID,
  requestId: 'req-1',
  body: { name: 'Café 😀' },
};
const FIND: PlatformRequest = {
  operation: 'findCompany',
  platformId: ID,
  requestId: 'req-2',
  body: null,
};
const META = { client_ip: '127.0.0.1', hostname: 'h', version: 'v1' };
const CREATED = {
  data: { id: ID, name: 'Café', reference: REFERENCE, created_at: '2026-03-02 15:00:00' },
  meta: META,
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** The head of one request as it is on the wire. */
async function headOf(options: Partial<HttpPlatformOptions>, through = 'direct'): Promise<string> {
  let head = '';
  const server = createTcpServer((socket) =>
    socket.setEncoding('latin1').on('data', (text: string) => {
      head ||= text.slice(0, text.indexOf('\r\n\r\n'));
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
    }),
  );
  const { port } = await listen(server);
  const here = `http://127.0.0.1:${port}`;
  const proxy = { address: here, authorization: null, namedBy: 'platform.proxy' };
  const platform = clientOf(
    port,
    through === 'direct' ? options : { ...options, baseUrl: 'http://platform.test', proxy },
  );
  open.push(platform);
  await platform.send(PUT);
  return head;
}

describe('names of headers on the wire', () => {
  const namesIn = (head: string) =>
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, line.indexOf(':')));

  it.each(['direct', 'proxy'])('have the letters of the interface (%s)', async (through) => {
    const head = await headOf({ headers: { 'X-API-Key': 'k' } }, through);
    expect(namesIn(head).sort()).toEqual([
      ...['Accept', 'Accept-Encoding', 'Client-Id', 'Connection', 'Content-Length', 'Content-Type', 'Host'],
      ...['Request-Id', 'Request-Timestamp', 'Signature', 'User-Agent', 'X-API-Key'],
    ]);
  });
});

function platformAt(port: number, options: Partial<HttpPlatformOptions> = {}): Platform {
  const platform = createHttpPlatform({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: 'client-1',
    clientSecret: SECRET,
    signatureProfile: 'digest-lines',
    timeoutMs: 5_000,
    concurrency: 4,
    clock: fakeClock(
      () => NOW,
      () => performance.now(),
    ),
    operations: OPERATIONS,
    version: '1.2.3',
    ...options,
  });
  open.unshift(platform);
  return platform;
}

async function replyTo(
  answer: (response: ServerResponse, socket: Socket) => void,
  request = PUT,
  options: Partial<HttpPlatformOptions> = {},
): Promise<Reply> {
  const server = await startLoopbackServer(answer);
  return platformAt(server.port, options).send(request);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

describe('a request to the platform', () => {
  it('carries the four headers, a signature over the very bytes sent, and no header beyond the known', async () => {
    const server = await startLoopbackServer((response) => json(response, 200, CREATED));
    await platformAt(server.port).send(PUT);

    const sent = server.received[0];
    expect(sent).toMatchObject({
      method: 'PUT',
      url: `/api/v1/employers/${ID}/company`,
      body: '{"name":"Café 😀"}',
    });
    const digest = createHash('sha256').update('{"name":"Café 😀"}').digest('base64');
    const text =
      'Client-Id:client-1\nRequest-Id:req-1\nRequest-Timestamp:2026-03-02T08:00:00Z\n' +
      `Request-Target:/api/v1/employers/${ID}/company\nDigest:${digest}`;
    expect(sent?.headers).toEqual({
      'client-id': 'client-1',
      'request-id': 'req-1',
      'request-timestamp': '2026-03-02T08:00:00Z',
      signature: `HMACSHA256=${createHmac('sha256', SECRET).update(text).digest('base64')}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': '21',
      'user-agent': 'placement-sync/1.2.3',
      'accept-encoding': expect.stringContaining('gzip') as string,
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
    });
  });

  it('that no header can carry is refused for good, and leaves nothing behind', async () => {
    const server = await startLoopbackServer((response) => json(response, 200, CREATED));
    const sending = platformAt(server.port, { clientId: 'client\n' }).send(PUT);
    await expect(sending).rejects.toMatchObject({ name: 'SyncError', code: 'config-invalid', scope: 'run' });
    expect(server.received).toEqual([]);
  });

  it('without a body has no content type and no digest in its signature', async () => {
    const server = await startLoopbackServer((response) =>
      json(response, 200, { data: { id: ID }, meta: META }),
    );
    await platformAt(server.port).send(FIND);

    const text =
      'Client-Id:client-1\nRequest-Id:req-2\nRequest-Timestamp:2026-03-02T08:00:00Z\n' +
      `Request-Target:/api/v1/employers/${ID}/company`;
    const headers: Received['headers'] = server.received[0]?.headers ?? {};
    expect(headers.signature).toBe(
      `HMACSHA256=${createHmac('sha256', SECRET).update(text).digest('base64')}`,
    );
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).not.toHaveProperty('content-length');
  });

  it('signs the path of the base URL too, and never the user name or query in it', async () => {
    const server = await startLoopbackServer((response) => json(response, 200, CREATED));
    const platform = platformAt(server.port, {
      baseUrl: `http://user:pass@127.0.0.1:${server.port}/gateway/joss/?debug=1`,
      signatureProfile: 'method-path-hex',
    });
    await platform.send(PUT);

    const path = `/gateway/joss/api/v1/employers/${ID}/company`;
    const digest = createHash('sha256').update('{"name":"Café 😀"}').digest('hex');
    const text = `PUT\n${path}\nclient-1\nreq-1\n2026-03-02T08:00:00Z\n${digest}`;
    const sent = server.received[0];
    expect(sent?.url).toBe(path);
    expect(sent?.headers.signature).toBe(createHmac('sha256', SECRET).update(text).digest('hex'));
    expect(sent?.headers).not.toHaveProperty('authorization');
  });

  it('uses an overridden method and path', async () => {
    const server = await startLoopbackServer((response) => json(response, 200, {}));
    const deleteVacancy = { ...operation('deleteVacancy'), path: '/api/v2/jobs/{id}' };
    const platform = platformAt(server.port, { operations: { ...OPERATIONS, deleteVacancy } });
    const reply = await platform.send({ ...FIND, operation: 'deleteVacancy' });
    expect(server.received[0]).toMatchObject({ method: 'DELETE', url: `/api/v2/jobs/${ID}`, body: '' });
    expect(server.received[0]?.headers).not.toHaveProperty('content-type');
    expect(server.received[0]?.headers).not.toHaveProperty('transfer-encoding');
    expect(reply).toMatchObject({ result: { id: null, reference: null } });
  });

  it('reuses its connection', async () => {
    const server = await startLoopbackServer((response) => json(response, 200, CREATED));
    const platform = platformAt(server.port);
    for (let i = 0; i < 5; i++) await platform.send(PUT);
    expect(server.received).toHaveLength(5);
    expect(server.connections()).toBe(1);
  });

  it('is sent once, whatever comes back', async () => {
    const server = await startLoopbackServer((response) =>
      json(response, 503, { message: 'Service Unavailable' }),
    );
    expect(await platformAt(server.port).send(FIND)).toMatchObject({ kind: 'answered', status: 503 });
    expect(server.received).toHaveLength(1);
  });
});

describe('a reply of the platform', () => {
  it('brings the result of a Put, the headers that matter, and our time', async () => {
    const reply = await replyTo((response) => {
      response.setHeader('Date', 'Mon, 02 Mar 2026 08:00:00 GMT');
      response.setHeader('Retry-After', '5');
      json(response, 200, CREATED);
    });
    expect(reply).toEqual({
      kind: 'answered',
      status: 200,
      result: { id: ID, reference: REFERENCE },
      malformed: null,
      links: { id: ID, reference: REFERENCE, gap: null },
      json: CREATED,
      text: JSON.stringify(CREATED),
      html: false,
      retryAfter: '5',
      date: 'Mon, 02 Mar 2026 08:00:00 GMT',
      location: null,
      receivedAt: NOW,
    });
  });

  it('to a Patch needs no reference', async () => {
    const patch: PlatformRequest = { ...PUT, operation: 'updateApplicationStatus' };
    const reply = await replyTo(
      (r) => json(r, 200, { data: { applicants: ID, status: 'hired' }, meta: META }),
      patch,
    );
    expect(reply).toMatchObject({ result: { id: null, reference: null }, malformed: null });
  });

  it('is read as JSON whatever its content type', async () => {
    const reply = await replyTo((r) => r.end(`\ufeff${JSON.stringify(CREATED)}`));
    expect(reply).toMatchObject({ result: { reference: REFERENCE } });
  });

  it.each([
    ['a web page', '<!DOCTYPE html><p>ok', true],
    ['nothing', '', false],
    ['no JSON', '{"data":', false],
    ['no envelope', '{"id":"x"}', false],
    ['no reference', JSON.stringify({ data: { id: ID }, meta: META }), false],
  ])('of 200 with %s is not understood', async (_, body, html) => {
    const reply = await replyTo((response) => response.end(body));
    expect(reply).toMatchObject({ kind: 'answered', status: 200, result: null, html });
    expect((reply as { malformed: string }).malformed).toMatch(/\w/);
    expect((reply as { hint: string }).hint).toMatch(/platform\.|baseUrl/);
  });

  it('that redirects is not followed', async () => {
    const elsewhere = await startLoopbackServer((response) => json(response, 200, CREATED));
    const target = `http://127.0.0.1:${elsewhere.port}/`;
    const reply = await replyTo((response) => response.writeHead(307, { Location: target }).end());
    expect(reply).toMatchObject({ kind: 'answered', status: 307, location: target });
    expect(elsewhere.connections()).toBe(0);
  });
});

it('a reply of several MiB is read as any other', async () => {
  const debug = 'x'.repeat(3 * 1024 * 1024);
  const reply = await replyTo((response) => json(response, 200, { data: { reference: 'r' }, debug }));
  expect(reply).toMatchObject({ kind: 'answered', result: { reference: 'r' } });
});

describe('a platform that gives no complete reply', () => {
  const truncated = (response: ServerResponse, socket: Socket): void => {
    response.writeHead(200, { 'Content-Length': '500' });
    response.write('{"data":', () => socket.destroy());
  };

  it.each<[string, (response: ServerResponse, socket: Socket) => void]>([
    ['resets the connection', (_, socket) => socket.resetAndDestroy()],
    ['closes the connection', (_, socket) => socket.end()],
    ['cuts the body', truncated],
    ['answers no HTTP', (_, socket) => socket.end('hello\r\n\r\n')],
    ['answers more than 16 MiB', (response) => response.end('x'.repeat(16 * 1024 * 1024 + 1))],
  ])('and %s is silent', async (_, answer) => {
    const reply = await replyTo(answer);
    expect(reply.kind).toBe('silent');
    expect(JSON.stringify(reply)).not.toMatch(/signature|Café|req-1|a-secret/i);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => undefined],
    ['stops in the middle of the body', (r) => r.writeHead(200, { 'Content-Length': '9' }).write('{')],
    ['drips its body', (r) => void setInterval(() => r.write(' '), 20).unref()],
  ])('and %s is silent after the timeout', async (_, answer) => {
    const startedAt = performance.now();
    const reply = await replyTo(answer, PUT, { timeoutMs: 300 });
    expect(reply).toEqual({ kind: 'silent', code: 'ETIMEDOUT', message: 'no complete reply within 0.3 s' });
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  });

  it('and resets a reused connection is silent too', async () => {
    let count = 0;
    const server = await startLoopbackServer((response, socket) => {
      if (count++ === 0) json(response, 200, CREATED);
      else socket.resetAndDestroy();
    });
    const platform = platformAt(server.port);
    expect((await platform.send(PUT)).kind).toBe('answered');
    expect((await platform.send(PUT)).kind).toBe('silent');
    expect(server.connections()).toBe(1);
  });

  it('does not keep the next request from its reply', async () => {
    let count = 0;
    const server = await startLoopbackServer((response) =>
      count++ === 0 ? undefined : json(response, 200, CREATED),
    );
    const platform = platformAt(server.port, { timeoutMs: 300, concurrency: 1 });
    expect((await platform.send(PUT)).kind).toBe('silent');
    expect((await platform.send(PUT)).kind).toBe('answered');
  });
});

describe('a platform without a connection', () => {
  it('is unreachable when the port is closed', async () => {
    const server = await startLoopbackServer((response) => response.end());
    await server.close();
    const reply = await platformAt(server.port).send(PUT);
    expect(reply).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  });

  it('is unreachable when its name is unknown', async () => {
    const reply = await platformAt(80, { baseUrl: 'http://nowhere.invalid' }).send(PUT);
    expect(reply.kind).toBe('unreachable');
  });

  it.each([
    ['refuses', (socket: Socket) => void socket.end('no TLS here\r\n'), 5_000],
    ['resets', (socket: Socket) => void socket.resetAndDestroy(), 5_000],
    ['never answers', () => undefined, 300],
  ])('is unreachable when it %s the TLS handshake', async (_, onConnection, timeoutMs) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).once('data', () => onConnection(socket));
    });
    const { port } = await listen(server);
    const reply = await platformAt(port, { baseUrl: `https://127.0.0.1:${port}`, timeoutMs }).send(PUT);
    expect(reply.kind).toBe('unreachable');
  });
});
