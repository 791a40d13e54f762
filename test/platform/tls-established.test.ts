import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from '../../src/platform/exchange.js';
import { makeAuthority } from '../postgres/make-certificates.js';

const authority = makeAuthority('platform');
const { certificate: cert, key } = authority.issue();

/** Sends one request after the other to this server, over the same agent. */
async function clientOf(server: Server, trusted = authority) {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = {
    http: new HttpAgent(),
    https: new HttpsAgent({ keepAlive: true, ca: trusted.certificate }),
  };
  onTestFinished(() => {
    agent.https.destroy();
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  const url = new URL(`https://127.0.0.1:${port}/`);
  const body = Buffer.from('{}');
  return {
    connections: () => sockets.length,
    put: () => exchange({ url, method: 'PUT', headers: {}, body, timeoutMs: 1_000, agent }),
  };
}

/** Speaks TLS; `answer` gets each request with its number. */
function tlsServer(answer: (socket: TLSSocket, request: number) => void): Server {
  let requests = 0;
  return createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (text.includes('PUT ')) answer(socket, ++requests);
    });
  });
}

it('a server that takes the connection and begins no TLS has not seen the request', async () => {
  const { put } = await clientOf(createServer());
  expect(await put()).toMatchObject({ kind: 'unreachable', code: 'ETIMEDOUT' });
});

it('a server whose certificate is not trusted has not seen the request', async () => {
  const { put } = await clientOf(
    tlsServer((socket) => socket.end()),
    makeAuthority('another'),
  );
  expect(await put()).toMatchObject({ kind: 'unreachable' });
});

it('a connection that ends after its handshake may have brought the request', async () => {
  const { put } = await clientOf(tlsServer((socket) => socket.destroy()));
  expect(await put()).toMatchObject({ kind: 'silent' });
});

it('a connection that is used again may have brought the request too', async () => {
  const { put, connections } = await clientOf(
    tlsServer((socket, request) => {
      if (request === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      else socket.destroy();
    }),
  );
  expect(await put()).toMatchObject({ status: 200 });
  // The agent has the connection back a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await put()).toMatchObject({ kind: 'silent' });
  expect(connections()).toBe(1);
});
