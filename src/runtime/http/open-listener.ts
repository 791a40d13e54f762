import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hostInAddress } from '../host-in-address.js';
import { answer } from './answer.js';
import { boundConnections } from './connections.js';
import type { Exchange } from './exchange.js';
import { listen } from './listen.js';
import { allowOneAtATime } from './one-at-a-time.js';
import { takeTarget } from './take-target.js';

/** Largest head of a request: Node's default, which a flag of the process could change. */
const MAX_HEAD_BYTES = 16 * 1024;

/** Header fields that are read; the head's size limits them too, but each costs more than its bytes. */
const MAX_HEADERS = 100;

/** How long a connection may stay without a request. */
const KEEP_ALIVE_MS = 5_000;

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly maxConnections: number;
  /** Longest time for a head. */
  readonly headTimeoutMs: number;
  /** Longest time for a whole request. */
  readonly requestTimeoutMs: number;
  /** Longest time for a client to take its answer. Default 30 s. */
  readonly answerTimeoutMs?: number;
  /** Answers. A request whose handling throws is answered 500. */
  readonly handle: (exchange: Exchange) => Promise<void> | void;
}

export interface Listener {
  readonly port: number;
  /** `http://host:port`, the host as it was given. */
  readonly url: string;
  /** Takes no more connections, waits at most this long for running requests, then ends everything. */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens for HTTP from untrusted clients. It limits the memory that a client can use: the number of connections, the
 * head of each, the time for each step of the client, and one request at a time on each connection. `readBody` limits
 * the bodies.
 *
 * It ends a connection that sends a request before the last one was answered, because one packet may hold thousands of
 * requests, and all would run at once.
 *
 * Rejects with Node's own error when it cannot listen on the address.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { host, headTimeoutMs, requestTimeoutMs } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node looks for slow senders only this often.
    connectionsCheckingInterval: Math.min(1_000, headTimeoutMs),
    // Node's own answer would keep the connection open, also during another request.
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS;
  serve(server, options);
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | null = null;
  return {
    port,
    url: `http://${hostInAddress(host)}:${port}`,
    close: (graceMs) => (closed ??= close(server, graceMs)),
  };
}

function serve(server: Server, { maxConnections, answerTimeoutMs = 30_000, handle }: ListenerOptions): void {
  const connections = boundConnections(server, maxConnections);
  const underWay = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => allowOneAtATime(socket, () => underWay.has(socket)));

  const take = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { asksToSend = false, refusal = null }: { asksToSend?: boolean; refusal?: number | null } = {},
  ): void => {
    const { socket } = incoming;
    if (underWay.has(socket)) {
      socket.destroy();
      return;
    }
    underWay.add(socket);
    connections.reading(socket);
    let reading: NodeJS.Timeout | undefined;
    outgoing.once('prefinish', () => {
      if (outgoing.destroyed) return;
      connections.waiting(socket);
      reading = setTimeout(() => socket.destroy(), answerTimeoutMs);
    });
    outgoing.once('close', () => {
      clearTimeout(reading);
      underWay.delete(socket);
      connections.waiting(socket);
    });
    const exchange = { incoming, outgoing, asksToSend, begin: () => connections.working(socket) };
    if (refusal !== null) answer(exchange, { status: refusal, headers: { connection: 'close' }, body: '' });
    else if (!takeTarget(incoming) || !namesHost(incoming))
      answer(exchange, { status: 400, headers: { connection: 'close' }, body: '' });
    else void settle(exchange, handle);
  };

  server.on('request', (incoming, outgoing) => take(incoming, outgoing));
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    take(incoming, outgoing, { asksToSend: true }),
  );
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    take(incoming, outgoing, { refusal: 417 }),
  );
}

/** HTTP/1.1 requires a host; HTTP/1.0 does not. */
function namesHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersion !== '1.1';
}

async function settle(exchange: Exchange, handle: ListenerOptions['handle']): Promise<void> {
  try {
    await handle(exchange);
  } catch {
    const { outgoing } = exchange;
    if (outgoing.headersSent) outgoing.destroy();
    else answer(exchange, { status: 500, headers: {}, body: '' });
  }
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (graceMs === 0) server.closeAllConnections();
  else server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
