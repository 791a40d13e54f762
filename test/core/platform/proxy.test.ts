import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpPlatformOptions } from '../../../src/core/platform/http-platform.js';
import type { Platform, PlatformRequest } from '../../../src/core/ports/platform.js';
import { egressProxy, type EgressProxy } from '../../../src/core/runtime/egress-proxy.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { startLoopbackServer, startProxy } from './servers.js';
import { clientOf } from './raw-server.js';
import { listen } from '../../loopback.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const REFERENCE = '0b6e1a57-5f1a-4c53-8f0f-9e2a7c1d2b3c';
const PUT: PlatformRequest = {
  operation: 'putCompany',
  platformId: ID,
  requestId: 'r',
  body: { name: 'Café' },
};
const META = { client_ip: '127.0.0.1', hostname: 'h', version: 'v1' };
const CREATED = JSON.stringify({
  data: { id: ID, name: 'Café', reference: REFERENCE, created_at: '2026-03-02 15:00:00' },
  meta: META,
});
const ACCEPTED = { kind: 'answered', status: 200, result: { reference: REFERENCE } };

const authority = makeAuthority('authority of the platform');

const httpServer = () => startLoopbackServer((response) => response.end(CREATED));

/** A platform with TLS; `host`: the name in its certificate, else 127.0.0.1. */
async function tlsServer(host?: string, answers = Infinity) {
  const { certificate, key } = authority.issue(false, host);
  const asked: string[] = [];
  const names: unknown[] = [];
  const sockets: Socket[] = [];
  const server = createHttpsServer({ cert: certificate, key }, (request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    names.push((request.socket as { readonly servername?: unknown }).servername);
    expect(Object.keys(request.headers)).not.toContainEqual(expect.stringContaining('proxy'));
    request.resume().on('end', () => (asked.length > answers ? undefined : response.end(CREATED)));
  });
  server.on('connection', (socket: Socket) => sockets.push(socket));
  const { port } = await listen(server);
  return { port, asked, names, sockets };
}

function named(address: string): EgressProxy {
  const found = egressProxy(new URL('http://any.test'), {
    setting: { name: 'platform.proxy', value: address },
    env: {},
  });
  if (found === null || !('address' in found)) throw new Error('no proxy');
  return found;
}

function client(
  baseUrl: string,
  through: string | null,
  options: Partial<HttpPlatformOptions> = {},
): Platform {
  const platform = clientOf(0, {
    baseUrl,
    proxy: through === null ? null : named(through),
    certificates: [authority.certificate],
    ...options,
  });
  onTestFinished(() => platform.close());
  return platform;
}

it('http:// goes through the proxy by its absolute address, over one connection', async () => {
  const server = await httpServer();
  const between = await startProxy({ routes: { 'platform.test:80': server.port } });
  const platform = client('http://platform.test/gateway', between.address);
  for (let sent = 0; sent < 3; sent += 1) expect(await platform.send(PUT)).toMatchObject(ACCEPTED);
  const target = `/gateway/api/v1/employers/${ID}/company`;
  expect(between.asked).toEqual(Array.from({ length: 3 }, () => `PUT http://platform.test${target}`));
  expect(between.connections()).toBe(1);
  expect(server.received[0]).toMatchObject({
    method: 'PUT',
    url: target,
    body: '{"name":"Café"}',
    headers: { host: 'platform.test' },
  });
});

it.each([
  ['a name', 'platform.test', 'platform.test:443'],
  ['an address', undefined, null],
])('https:// to %s goes through a tunnel, and its certificate is checked', async (_, host, target) => {
  const server = await tlsServer(host);
  const between = await startProxy({ routes: { 'platform.test:443': server.port } });
  const platform = client(host ? `https://${host}` : `https://127.0.0.1:${server.port}`, between.address);
  for (let sent = 0; sent < 3; sent += 1) expect(await platform.send(PUT)).toMatchObject(ACCEPTED);
  expect(between.asked).toEqual([`CONNECT ${target ?? `127.0.0.1:${server.port}`}`]);
  expect(server.asked).toHaveLength(3);
  expect(server.names[0]).toBe(host ?? false);
  expect(server.sockets).toHaveLength(1);
});

it('a certificate for another name, or of another authority, is refused before anything is sent', async () => {
  const server = await tlsServer('platform.test');
  const routes = { 'platform.test:443': server.port, 'other.test:443': server.port };
  const between = await startProxy({ routes });
  expect(await client('https://other.test', between.address).send(PUT)).toMatchObject({
    kind: 'unreachable',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  expect(
    await client('https://platform.test', between.address, { certificates: [] }).send(PUT),
  ).toMatchObject({ kind: 'unreachable', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  expect(server.asked).toEqual([]);
});

it('a certificate for the proxy’s own host is not taken for the platform’s at an IP address', async () => {
  const server = await tlsServer('localhost');
  const between = await startProxy();
  const at = `http://localhost:${between.port}`;
  expect(await client(`https://127.0.0.1:${server.port}`, at).send(PUT)).toMatchObject({
    kind: 'unreachable',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  expect(between.asked).toHaveLength(1);
});

it('user and password go to the proxy, never to the platform', async () => {
  const plain = await httpServer();
  const secure = await tlsServer('platform.test');
  const between = await startProxy({
    user: 'me:p@ss%',
    routes: { 'platform.test:80': plain.port, 'platform.test:443': secure.port },
  });
  const address = `http://me:p%40ss%25@127.0.0.1:${between.port}`;
  expect(await client('http://platform.test', address).send(PUT)).toMatchObject(ACCEPTED);
  expect(await client('https://platform.test', address).send(PUT)).toMatchObject(ACCEPTED);
  expect(JSON.stringify(plain.received[0]?.headers)).not.toContain('Basic');
});

it('a proxy that speaks TLS is used, and its certificate is checked', async () => {
  const plain = await httpServer();
  const secure = await tlsServer('platform.test');
  const between = await startProxy({
    certificate: authority.issue(),
    routes: { 'platform.test:80': plain.port, 'platform.test:443': secure.port },
  });
  for (const baseUrl of ['http://platform.test', 'https://platform.test']) {
    expect(await client(baseUrl, between.address).send(PUT), baseUrl).toMatchObject(ACCEPTED);
    expect(await client(baseUrl, between.address, { certificates: [] }).send(PUT), baseUrl).toMatchObject({
      kind: 'unreachable',
    });
  }
});

it.each([
  [
    407,
    'The proxy PROXY refused the connection (407, it asks for user and password, or refuses them): check platform.proxy',
  ],
  [403, 'The proxy PROXY refused the connection (403, it does not allow this address): check platform.proxy'],
  [
    502,
    'The proxy PROXY refused the connection (502, it could not reach the platform): check platform.proxy',
  ],
  [418, 'The proxy PROXY refused the connection (418): check platform.proxy'],
])('%i of a proxy to CONNECT is no reply of the platform', async (refuse, message) => {
  const between = await startProxy({ refuse });
  expect(await client('https://platform.test', between.address).send(PUT)).toEqual({
    kind: 'unreachable',
    code: 'PROXY_REFUSED',
    message: message.replace('PROXY', between.address),
  });
});

it('407 to an http:// address is no reply of the platform either, whoever named the proxy', async () => {
  const between = await startProxy({ refuse: 407 });
  const refused = { kind: 'unreachable', code: 'PROXY_REFUSED' };
  const message = expect.stringContaining('(407, it asks for user and password') as string;
  expect(await client('http://platform.test', between.address).send(PUT)).toMatchObject({
    ...refused,
    message,
  });
  expect(await client(`http://127.0.0.1:${between.port}`, null).send(PUT)).toMatchObject({
    ...refused,
    message,
  });
});

it.each(['http', 'https'])('a proxy that is away is named, for %s:// too', async (scheme) => {
  const gone = await startProxy();
  await gone.close();
  const reply = await client(`${scheme}://platform.test`, gone.address).send(PUT);
  expect(reply).toMatchObject({ kind: 'unreachable', code: 'PROXY_UNREACHABLE' });
  expect(reply).toHaveProperty(
    'message',
    expect.stringContaining(
      `the proxy ${gone.address} (platform.proxy) could not be reached: connect ECONNREFUSED`,
    ),
  );
});

it('a platform that the proxy cannot reach is unreachable over https://', async () => {
  const between = await startProxy({ routes: { 'platform.test:443': 1 } });
  expect(await client('https://platform.test', between.address).send(PUT)).toMatchObject({
    kind: 'unreachable',
    code: 'PROXY_REFUSED',
  });
});

it('a proxy that never answers ends in time, and leaves no connection behind', async () => {
  const between = await startProxy({ mute: true });
  const started = performance.now();
  const platform = client('https://platform.test', between.address, { timeoutMs: 300 });
  expect(await platform.send(PUT)).toEqual({
    kind: 'unreachable',
    code: 'ETIMEDOUT',
    message: `no connection through the proxy ${between.address} within 0.3 s`,
  });
  expect(performance.now() - started).toBeLessThan(5_000);
  while (between.open() > 0) await wait(5);
});

it('a proxy that takes no connection ends in time too', async () => {
  const { port } = await listen(createTcpServer());
  const platform = client('http://platform.test', `https://127.0.0.1:${port}`, { timeoutMs: 300 });
  expect(await platform.send(PUT)).toMatchObject({ kind: 'unreachable', code: 'ETIMEDOUT' });
});

it('closing the platform ends a connection that is on its way', async () => {
  const between = await startProxy({ mute: true });
  const platform = client('https://platform.test', between.address, { timeoutMs: 60_000 });
  const sending = platform.send(PUT);
  while (between.asked.length === 0) await wait(5);
  await platform.close();
  expect(await sending).toMatchObject({ kind: 'unreachable', code: 'PROXY_UNREACHABLE' });
  while (between.open() > 0) await wait(5);
});

it('a tunnel that breaks before its handshake has brought nothing, afterwards perhaps something', async () => {
  const ends = await listen(createTcpServer((socket) => socket.on('error', () => undefined).end()));
  const server = await tlsServer('platform.test', 1);
  const routes = {
    'platform.test:443': server.port,
    'broken.test:443': ends.port,
  };
  const between = await startProxy({ routes });
  expect(await client('https://broken.test', between.address).send(PUT)).toMatchObject({
    kind: 'unreachable',
  });

  const platform = client('https://platform.test', between.address);
  expect(await platform.send(PUT)).toMatchObject(ACCEPTED);
  const sending = platform.send(PUT);
  while (server.asked.length < 2) await wait(5);
  await between.close();
  expect(await sending).toMatchObject({ kind: 'silent' });
});

it('many requests at a time go through, also after all of them failed', async () => {
  const server = await tlsServer('platform.test');
  const routes: Record<string, number> = { 'platform.test:443': 1 };
  const between = await startProxy({ routes });
  const platform = client('https://platform.test', between.address, { concurrency: 4 });
  const all = () => Promise.all(Array.from({ length: 12 }, () => platform.send(PUT)));
  expect((await all()).map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'unreachable'));
  routes['platform.test:443'] = server.port;
  expect((await all()).map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'answered'));
});

it('a tunnel on which a second reply comes is not used again', async () => {
  const { certificate: cert, key } = authority.issue(false, 'platform.test');
  let connections = 0;
  const server = createTlsServer({ cert, key }, (socket) => {
    connections += 1;
    socket
      .on('error', () => undefined)
      .on('data', () => {
        const reply = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(CREATED)}\r\n\r\n${CREATED}`;
        socket.write(reply);
        setTimeout(() => socket.write(reply.replace(REFERENCE, ID)), 20);
      });
  });
  const { port } = await listen(server);
  const between = await startProxy({ routes: { 'platform.test:443': port } });
  const platform = client('https://platform.test', between.address);
  expect(await platform.send(PUT)).toMatchObject(ACCEPTED);
  while (between.open() > 0) await wait(5);
  expect(await platform.send(PUT)).toMatchObject(ACCEPTED);
  expect(connections).toBe(2);
});
