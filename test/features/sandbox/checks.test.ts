import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
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
    const ahead = await startSandbox({ clock: { now: () => Date.now() + 3_600_000 } });
    const reply = await send(ahead.url, put);
    expect(reply.status).toBe(401);
    const serverMs = Date.parse(reply.headers.get('date') ?? '');
    expect((await send(ahead.url, { ...put, atMs: serverMs })).status).toBe(200);
    await ahead.close();
  });
});

test('a foreign name that was made to lead to a sandbox on loopback is answered by nothing of it', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const statusOf = async (target: string, host: string) => {
    const client = await dial(sandbox.port);
    client.socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await client.ended;
    return client.received().slice(9, 12);
  };
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'sandbox'])
    expect([host, await statusOf('/_sandbox/requests', host)]).toEqual([host, '403']);
  for (const host of ['localhost', `127.0.0.1:${sandbox.port}`, '[::1]:1', 'app.localhost'])
    expect([host, await statusOf('/_sandbox/requests', host)]).toEqual([host, '200']);
  // A target that names a host is judged by that host.
  expect(await statusOf('http://evil.example/_sandbox/requests', 'localhost')).toBe('403');
});
