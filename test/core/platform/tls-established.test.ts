import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exchange } from '../../../src/core/platform/exchange.js';
import { createRoundTrips } from '../../../src/core/platform/rate-limit.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { listen } from '../../loopback.js';

describe('tls established', () => {
  const authority = makeAuthority('platform');
  const { certificate: cert, key } = authority.issue();

  /** Sends one request after the other to this server, over the same agent. */
  async function clientOf(server: Server, trusted = authority) {
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const { port } = await listen(server);
    const agent = {
      http: new HttpAgent(),
      https: new HttpsAgent({ keepAlive: true, ca: trusted.certificate }),
    };
    onTestFinished(() => agent.https.destroy());
    const url = new URL(`https://127.0.0.1:${port}/`);
    const body = Buffer.from('{}');
    return {
      connections: () => connections,
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
});

describe('round trips', () => {
  function attempt(
    trips: ReturnType<typeof createRoundTrips>,
    from: number,
    took: number,
    unreached = false,
  ): void {
    trips.begin(from)(from + took, !unreached);
  }

  it('count only after the warm-up, and then the smallest of all', () => {
    const trips = createRoundTrips({ warmUp: 2, forgetAfterMs: 2_000 });
    attempt(trips, 0, 10);
    attempt(trips, 100, 30);
    expect(trips.smallest()).toBe(0);
    attempt(trips, 200, 40);
    expect(trips.smallest()).toBe(10);
  });

  it('leave out attempts that did not reach the server', () => {
    const trips = createRoundTrips({ warmUp: 0, forgetAfterMs: 2_000 });
    attempt(trips, 0, 50);
    attempt(trips, 100, 0.1, true);
    expect(trips.smallest()).toBe(50);
  });

  it('warm up again after a quiet time, because connections may be gone, and keep the smallest', () => {
    const trips = createRoundTrips({ warmUp: 1, forgetAfterMs: 2_000 });
    attempt(trips, 0, 20);
    attempt(trips, 100, 50);
    expect(trips.smallest()).toBe(20);
    attempt(trips, 3_000, 120);
    expect(trips.smallest()).toBe(0);
    attempt(trips, 3_200, 120);
    expect(trips.smallest()).toBe(20);
  });

  it('do not take a long attempt for a quiet time', () => {
    const trips = createRoundTrips({ warmUp: 0, forgetAfterMs: 2_000 });
    attempt(trips, 0, 20);
    trips.begin(100);
    trips.begin(5_000)(5_030, true);
    expect(trips.smallest()).toBe(20);
  });
});
