import { createServer, type Socket } from 'node:net';
import { OPERATIONS } from '../../../src/core/entities/index.js';
import { createHttpPlatform, type HttpPlatformOptions } from '../../../src/core/platform/http-platform.js';
import type { Platform } from '../../../src/core/ports/platform.js';
import { fakeClock } from '../../fake-time.js';
import { listen, type Listening } from '../../loopback.js';

export interface RawServer extends Listening {
  /** Connections accepted so far. */
  connections(): number;
  /** Settles once the client has closed every connection. */
  leftAlone(): Promise<void>;
}

/**
 * A TCP server on loopback that speaks HTTP only as far as the test writes it. `answer` gets each request once it is
 * whole, with its number on this connection (from 1) and that of the connection; with `early` once its head is there,
 * and nothing more is read. It never closes a connection by itself.
 */
export async function startRawServer(
  answer: (socket: Socket, request: number, connection: number) => void,
  { early = false } = {},
): Promise<RawServer> {
  const sockets: Socket[] = [];
  const closed: Promise<void>[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    const connection = sockets.length;
    closed.push(new Promise((resolve) => void socket.once('close', resolve).once('end', resolve)));
    let unread = '';
    let requests = 0;
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (text: string) => {
      unread += text;
      for (;;) {
        const head = /^[^]*?\r\n\r\n/.exec(unread)?.[0];
        if (head === undefined) return;
        const length = early ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
        if (unread.length < head.length + length) return;
        unread = unread.slice(head.length + length);
        if (early) socket.pause();
        answer(socket, ++requests, connection);
        if (early) return;
      }
    });
  });
  return {
    ...(await listen(server)),
    connections: () => sockets.length,
    leftAlone: async () => void (await Promise.all(closed)),
  };
}

/** Writes `part` again and again for as long as the client reads, and ends with the connection. */
export function flood(socket: Socket, part: string): void {
  const chunk = part.repeat(Math.ceil(16_384 / part.length));
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    // Also when the other side has gone: the next write finds out.
    if (!socket.destroyed) socket.once('drain', () => setImmediate(more));
  };
  more();
}

/** A reply of HTTP/1.1 with this body, and further header lines. */
export function httpReply(status: string, body: string, ...headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The platform's client, for a server on this port. */
export function clientOf(port: number, options: Partial<HttpPlatformOptions> = {}): Platform {
  return createHttpPlatform({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: 'client-1',
    clientSecret: 'secret',
    signatureProfile: 'digest-lines',
    timeoutMs: 5_000,
    concurrency: 1,
    clock: fakeClock(
      () => Date.parse('2026-03-02T08:00:00Z'),
      () => performance.now(),
    ),
    operations: OPERATIONS,
    version: '1.2.3',
    ...options,
  });
}
