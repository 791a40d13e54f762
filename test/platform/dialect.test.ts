import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { operation, OPERATIONS } from '../../src/entities/index.js';
import type { HttpPlatformOptions } from '../../src/platform/http-platform.js';
import type { PlatformRequest } from '../../src/ports/platform.js';
import { makeAuthority } from '../postgres/make-certificates.js';
import { fakeClock } from '../fake-time.js';
import { type Received, startLoopbackServer } from './servers.js';
import { clientOf } from './raw-server.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const PUT: PlatformRequest = { operation: 'putCompany', platformId: ID, requestId: 'r', body: { name: 'x' } };
const FIND: PlatformRequest = { operation: 'findCompany', platformId: ID, requestId: 'r', body: null };
const DELETE: PlatformRequest = { ...FIND, operation: 'deleteCompany' };
const REPLY = JSON.stringify({ data: { id: ID, reference: ID }, meta: {} });

/** What a server gets of one request. */
async function received(
  request: PlatformRequest,
  options: Partial<HttpPlatformOptions> = {},
): Promise<Received> {
  const server = await startLoopbackServer((response) => response.end(REPLY));
  const platform = clientOf(server.port, {
    ...options,
    baseUrl: `http://127.0.0.1:${server.port}${options.baseUrl ?? ''}`,
  });
  onTestFinished(async () => {
    await platform.close();
    await server.close();
  });
  expect(await platform.send(request)).toMatchObject({ kind: 'answered', status: 200 });
  const [first, ...more] = server.received;
  if (first === undefined || more.length > 0) throw new Error('not one request');
  return first;
}

const values = ({ rawHeaders }: Received, name: string) =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);

it.each([
  ['POST', PUT],
  ['PATCH', PUT],
  ['DELETE', PUT],
  ['POST', FIND],
  ['PUT', FIND],
  ['POST', DELETE],
  ['PATCH', DELETE],
  ['GET', DELETE],
] as const)('%s may stand for another method, with and without a body', async (method, request) => {
  const changed = { ...operation(request.operation), method, path: '/v2/{id}/thing' };
  const got = await received(request, { operations: { ...OPERATIONS, [request.operation]: changed } });
  const body = request.body === null ? '' : JSON.stringify(request.body);
  expect(got).toMatchObject({ method, url: `/v2/${ID}/thing`, body });
  expect(got.headers['content-type']).toBe(request.body === null ? undefined : 'application/json');
  expect(got.headers['transfer-encoding']).toBeUndefined();
});

it('Request-Timestamp has the form of the configuration, and is what is signed', async () => {
  const now = Date.parse('2026-03-02T08:00:00.123Z');
  const clock = fakeClock(
    () => now,
    () => performance.now(),
  );
  const { headers } = await received(FIND, { timestamp: 'milliseconds', clock });
  const time = '2026-03-02T08:00:00.123Z';
  expect(headers['request-timestamp']).toBe(time);
  const text = `Client-Id:client-1\nRequest-Id:r\nRequest-Timestamp:${time}\nRequest-Target:/api/v1/employers/${ID}/company`;
  expect(headers.signature).toBe(
    `HMACSHA256=${createHmac('sha256', 'secret').update(text).digest('base64')}`,
  );
});

it.each([
  [null, '/gateway/joss'],
  ['', ''],
  ['/inside', '/inside'],
])('with signedPrefix %j, %j is signed before the path', async (signedPrefix, prefix) => {
  const { url, headers } = await received(PUT, {
    baseUrl: '/gateway/joss/',
    signedPrefix,
    signatureProfile: 'method-path-hex',
  });
  const path = `/api/v1/employers/${ID}/company`;
  expect(url).toBe(`/gateway/joss${path}`);
  const digest = createHash('sha256').update('{"name":"x"}').digest('hex');
  const text = `PUT\n${prefix}${path}\nclient-1\nr\n2026-03-02T08:00:00Z\n${digest}`;
  expect(headers.signature).toBe(createHmac('sha256', 'secret').update(text).digest('hex'));
});

it('fixed headers are sent, and replace Accept and User-Agent in any case, once', async () => {
  const headers = { 'X-Api-Key': 'key', accept: 'application/vnd.platform+json', 'USER-AGENT': 'partner/2' };
  const got = await received(PUT, { headers });
  expect(values(got, 'x-api-key')).toEqual(['key']);
  expect(values(got, 'accept')).toEqual(['application/vnd.platform+json']);
  expect(values(got, 'user-agent')).toEqual(['partner/2']);
  expect(values(got, 'signature')).toHaveLength(1);
});

it('without fixed headers Accept and User-Agent are ours', async () => {
  const got = await received(FIND);
  expect(values(got, 'accept')).toEqual(['application/json']);
  expect(values(got, 'user-agent')).toEqual(['placement-sync/1.2.3']);
});

it('a certificate of one’s own authority is trusted only with it, and then others still are not', async () => {
  const authority = makeAuthority('of the gateway');
  const { certificate, key } = authority.issue();
  const server = createHttpsServer({ cert: certificate, key }, (request, response) => {
    request.resume().on('end', () => response.end(REPLY));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = async (...certificates: string[]) => {
    const platform = clientOf(0, { baseUrl, certificates });
    onTestFinished(() => platform.close());
    return await platform.send(PUT);
  };
  expect(await send()).toMatchObject({ kind: 'unreachable' });
  expect(await send(makeAuthority('another').certificate)).toMatchObject({ kind: 'unreachable' });
  expect(await send(makeAuthority('another').certificate, authority.certificate)).toMatchObject({
    status: 200,
  });
});
