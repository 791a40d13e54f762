import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../../../src/features/sandbox/sandbox-options.js';
import { answersTo, type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
import { dial } from '../http/raw-client.js';
import { companyBody, companyPath, institutionPath, send, signed } from './signed-request.js';

describe('what the sandbox checks before it processes a request', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
  const body = companyBody('PT Contoh');
  const put = { method: 'PUT', path: companyPath(ID), body };

  let sandbox: RunningSandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({
      clients: {
        jobs: { clientId: 'jobs-client', secret: 'jobs-secret' },
        training: { clientId: 'training-client', secret: 'training-secret' },
      },
    });
  });
  afterAll(() => sandbox.close());

  const client = { clientId: 'jobs-client', secret: 'jobs-secret' };

  it.each([
    ['Client-Id', 401],
    ['Signature', 401],
    ['Request-Id', 400],
    ['Request-Timestamp', 400],
  ])('without %s answers %d', async (name, status) => {
    const reply = await send(sandbox.url, { ...put, ...client, headers: { [name]: undefined } });
    expect(reply.status).toBe(status);
    expect(reply.json).toEqual({ message: `${name} header is missing` });
  });

  it('names any field in its answer, also __proto__', async () => {
    const odd = JSON.parse(`{ "__proto__": 1, "constructor": 2, ${JSON.stringify(body).slice(1)}`) as object;
    const reply = await send(sandbox.url, { ...put, ...client, body: odd });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.json.errors as object).sort()).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['*/*', 200],
    ['application/*', 200],
    ['text/html, application/json;q=0.9', 200],
    ['text/html, */*;q=0.1', 200],
    ['text/html', 406],
    ['application/json;q=0, */*', 406],
    ['application/jsonlines', 406],
    [undefined, 406],
  ])('to Accept: %s answers %d', async (accept, status) => {
    // Raw, because fetch always sends an Accept of its own.
    const asked = request(sandbox.url + put.path, { method: 'PUT' });
    const { headers } = signed({ ...put, ...client });
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) asked.setHeader(name, value);
    if (accept === undefined) asked.removeHeader('Accept');
    else asked.setHeader('Accept', accept);
    asked.end(JSON.stringify(put.body));
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    reply.resume();
    expect(reply.statusCode).toBe(status);
  });

  it('answers 415 to a body that is not declared as JSON', async () => {
    const reply = await send(sandbox.url, { ...put, ...client, headers: { 'Content-Type': 'text/plain' } });
    expect(reply.status).toBe(415);
  });

  it('accepts a charset beside the media type', async () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await send(sandbox.url, { ...put, ...client, headers })).status).toBe(200);
  });

  it.each([
    ['an unknown client', { clientId: 'nobody', secret: 'jobs-secret' }, 'Client-Id is not known here'],
    [
      'the client of the other area',
      { clientId: 'training-client', secret: 'training-secret' },
      'Client-Id is not known here',
    ],
    ['another secret', { clientId: 'jobs-client', secret: 'training-secret' }, 'Signature is not valid'],
  ])('answers 401 to %s', async (_name, credentials, message) => {
    const reply = await send(sandbox.url, { ...put, ...credentials });
    expect(reply.status).toBe(401);
    expect(reply.json.message).toMatch(new RegExp(`^${message}`));
  });

  it('answers 401 to a made-up signature', async () => {
    const reply = await send(sandbox.url, { ...put, ...client, headers: { Signature: 'HMACSHA256=AAAA' } });
    expect(reply.status).toBe(401);
    expect(reply.json.message).toMatch(/^Signature is not valid\. The sandbox signed:\nClient-Id:/);
  });

  it('lets the training client into the training area only', async () => {
    const training = { clientId: 'training-client', secret: 'training-secret' };
    const request = { method: 'PUT', path: institutionPath(ID), body };
    expect((await send(sandbox.url, { ...request, ...training })).status).toBe(200);
    expect((await send(sandbox.url, { ...request, ...client })).status).toBe(401);
  });

  it.each([-301, 302])('answers 401 to a timestamp that is %d seconds off', async (seconds) => {
    const reply = await send(sandbox.url, { ...put, ...client, atMs: Date.now() + seconds * 1000 });
    expect(reply.status).toBe(401);
    expect(reply.json.message).toBe('Request-Timestamp is outside of the accepted window');
    expect(Math.abs(Date.parse(reply.headers.get('date') ?? '') - Date.now())).toBeLessThan(5000);
  });

  it.each([-290, 290])('accepts a timestamp that is %d seconds off', async (seconds) => {
    const reply = await send(sandbox.url, { ...put, ...client, atMs: Date.now() + seconds * 1000 });
    expect(reply.status).toBe(200);
  });

  it('answers 409 to a repeated Request-Id, also when the first was refused', async () => {
    const requestId = 'request-409';
    expect((await send(sandbox.url, { ...put, ...client, requestId, body: { name: 7 } })).status).toBe(422);
    const again = await send(sandbox.url, { ...put, ...client, requestId });
    expect(again.status).toBe(409);
    expect(again.json).toEqual({ message: 'Request-Id was used before' });
  });

  it('does not take a Request-Id as used by a request that is not authentic', async () => {
    const requestId = 'request-401';
    await send(sandbox.url, { ...put, ...client, requestId, secret: 'wrong' });
    expect((await send(sandbox.url, { ...put, ...client, requestId })).status).toBe(200);
  });

  it.each([
    ['an unknown route', { method: 'GET', path: '/api/v1/people/1' }, 404],
    ['an unknown method', { method: 'POST', path: companyPath(ID), body }, 404],
    ['an id that is no UUID', { method: 'PUT', path: companyPath('17'), body }, 404],
    ['no body', { method: 'PUT', path: companyPath(ID) }, 400],
    ['a body that is no JSON', { method: 'PUT', path: companyPath(ID), body: '{"name":' }, 400],
  ])('answers %s as it should', async (_name, request, status) => {
    const reply = await send(sandbox.url, { ...request, ...client });
    expect(reply.status).toBe(status);
    expect(typeof reply.json.message).toBe('string');
  });

  it('takes a body of 1 MiB and answers 413 to a larger one', async () => {
    const about = (bytes: number): string => {
      const empty = JSON.stringify({ ...body, about: '' });
      return JSON.stringify({ ...body, about: 'x'.repeat(bytes - empty.length) });
    };
    expect((await send(sandbox.url, { ...put, ...client, body: about(1024 * 1024) })).status).toBe(200);
    expect((await send(sandbox.url, { ...put, ...client, body: about(1024 * 1024 + 1) })).status).toBe(413);
  });

  it('signs by the other profile when it is told so', async () => {
    const other = await startSandbox({ profile: 'method-path-hex' });
    expect((await send(other.url, put)).json.message).toMatch(
      /^Signature is not valid\. The sandbox signed:\nPUT\n/,
    );
    await other.close();
  });

  it('keeps its own clock, and shows it in the Date header', async () => {
    const ahead = await startSandbox({
      clock: { now: () => Date.now() + 3_600_000 },
      clockToleranceSeconds: 60,
    });
    const reply = await send(ahead.url, put);
    expect(reply.status).toBe(401);
    const serverMs = Date.parse(reply.headers.get('date') ?? '');
    expect((await send(ahead.url, { ...put, atMs: serverMs })).status).toBe(200);
    await ahead.close();
  });
});

describe('browsers', () => {
  async function open(options: SandboxOptions = {}) {
    const sandbox = await startSandbox({ faults: { rules: [{ fault: 'server-error' }] }, ...options });
    onTestFinished(() => sandbox.close());
    /** Node's own client: fetch would not let a test say Host and Origin. */
    const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body = '') =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port: sandbox.port, method, path, headers }, (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part: string) => (text += part));
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
        });
        asked.on('error', reject).end(method === 'DELETE' ? '' : body);
      });
    return { sandbox, ask };
  }

  test('a foreign name that was made to lead to the sandbox is answered by nothing of it', async () => {
    const { ask, sandbox } = await open();
    for (const host of ['evil.example', '127.0.0.1.evil.example', `evil.example:${sandbox.port}`, 'sandbox'])
      for (const path of [
        '/_sandbox',
        '/_sandbox/requests',
        '/_sandbox/faults',
        '/api/v1/institutions/x',
        '/',
      ]) {
        const reply = await ask('GET', path, { host });
        expect([host, path, reply.status]).toEqual([host, path, 403]);
        expect(reply.text).toContain('--allow-host');
      }
    for (const host of ['localhost', `127.0.0.1:${sandbox.port}`, '[::1]:1'])
      expect([host, (await ask('GET', '/_sandbox/requests', { host })).status]).toEqual([host, 200]);
  });

  test('a target that names a host is judged by that host, and is a route of the sandbox', async () => {
    const { sandbox } = await open();
    for (const [target, status] of [
      ['http://evil.example/_sandbox/requests', 403],
      [`http://localhost/_sandbox/requests`, 200],
    ] as const) {
      const client = await dial(sandbox.port);
      client.socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await client.ended;
      expect([target, client.received().slice(9, 12)]).toEqual([target, String(status)]);
    }
  });

  test('a page of another address changes nothing', async () => {
    const { ask, sandbox } = await open();
    const host = `localhost:${sandbox.port}`;
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { host, origin: 'https://evil.example' },
      { host, origin: 'null' },
      { host, 'sec-fetch-site': 'cross-site' },
      { host, origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign)
      for (const [method, path] of [
        ['POST', '/_sandbox/faults'],
        ['PUT', '/%5Fsandbox/faults'],
        ['DELETE', '/_sandbox/faults'],
        ['DELETE', '/_sandbox/requests'],
      ] as const)
        expect([headers, method, path, (await ask(method, path, headers, 'rules: []')).status]).toEqual([
          headers,
          method,
          path,
          403,
        ]);
    expect(sandbox.faults().rules).toHaveLength(1);
    const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await ask('POST', '/_sandbox/faults', own, 'rules: []')).status).toBe(200);
    expect((await ask('DELETE', '/_sandbox/requests', { host })).status).toBe(200);
  });

  test.each([
    ['127.0.0.1', 'localhost:8484', true],
    ['127.0.0.1', 'app.localhost', true],
    ['127.0.0.1', '10.0.0.5', false],
    ['127.0.0.1', 'sandbox', false],
    ['127.0.0.1', 'named.example', true],
    ['0.0.0.0', 'sandbox:8484', true],
    ['0.0.0.0', '10.0.0.5:8484', true],
    ['0.0.0.0', '[fd00::5]:8484', true],
    ['0.0.0.0', 'localhost', true],
    ['0.0.0.0', 'evil.example', false],
    ['0.0.0.0', 'NAMED.example:1', true],
    ['0.0.0.0', 'sandbox.', false],
    ['sandbox.internal', 'sandbox.internal', true],
    ['0.0.0.0', 'a@sandbox', false],
    ['0.0.0.0', undefined, false],
  ])('listening on %s, the sandbox answers to the host %s: %s', (listening, host, expected) => {
    expect(answersTo(host, { listening, names: ['named.example'] })).toBe(expected);
  });
});
