import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hostInAddress } from '../../core/runtime/loopback.js';

/**
 * A listener for HTTP from untrusted clients. A connection takes one of a bounded number of places (`boundConnections`) and
 * may have one request at a time (`allowOneAtATime`). A request is checked for the host that it names (`takeTarget`), then
 * handled, then answered, also when its body has not arrived (`answer`). `readBody` reads bodies.
 */

export interface Listener {
  readonly port: number;
  /** `http://host:port`, the host as it was given. */
  readonly url: string;
  /** Takes no more connections, waits at most this long for running requests, then ends everything. */
  close(graceMs: number): Promise<void>;
}

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly maxConnections: number;
  readonly headTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Longest time for a client to take its answer. Default 30 s. */
  readonly answerTimeoutMs?: number;
  /** Answers. A request whose handling throws is answered 500. */
  readonly handle: (exchange: Exchange) => Promise<void> | void;
}

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The client waits for `100 Continue` before it sends its body, and has not got it yet. */
  asksToSend: boolean;
  /**
   * From here until the answer is written, no newer connection takes this one's place: the client waits for us, not we
   * for the client.
   */
  begin(): void;
}

/** Largest head of a request: Node's default, which a flag of the process could change. */
const MAX_HEAD_BYTES = 16 * 1024;

/** How long a connection may stay without a request. */
const KEEP_ALIVE_MS = 5_000;

/** Header fields that are read; the head's size limits them too, but each costs more than its bytes. */
const MAX_HEADERS = 100;

/**
 * It limits the memory that a client can use: the number of connections, the head of each, the time for each step of the
 * client, and one request at a time on each connection. `readBody` limits the bodies. It ends a connection that sends a
 * request before the last one was answered, because one packet may hold thousands of requests, and all would run at once.
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
  const close = { connection: 'close' };
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
    if (refusal !== null) answer(exchange, { status: refusal, headers: close, body: '' });
    else if (!takeTarget(incoming) || !namesHost(incoming))
      answer(exchange, { status: 400, headers: close, body: '' });
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

/**
 * Bounds the connections of a server to `max`. A newer one takes the place of the one that has been waiting for its
 * client longest, among those without a request (nothing sent, or an answer unread) or those with half of one, whichever
 * are more. So open connections cannot keep others out, a probe gets through, and connections that send nothing do not
 * cut off requests that arrive. If all connections have a request in work, the newcomer is dropped.
 */
function boundConnections(server: Server, max: number) {
  const open = new Set<Socket>();
  /** Those that wait for their client, in both sets the longest first. */
  const idle = new Set<Socket>();
  const arriving = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    idle.delete(socket);
    arriving.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    if (open.size >= max) {
      const [longest = socket] = arriving.size > idle.size ? arriving : idle;
      forget(longest);
      longest.destroy();
      if (longest === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  return {
    /** A request of this connection arrives. */
    reading(socket: Socket) {
      idle.delete(socket);
      if (open.has(socket)) arriving.add(socket);
    },
    /** A request of this connection is handled: it is never dropped. */
    working: (socket: Socket) => void arriving.delete(socket),
    /** The connection waits for its client, as each does at first. */
    waiting(socket: Socket) {
      arriving.delete(socket);
      idle.delete(socket);
      if (open.has(socket)) idle.add(socket);
    },
  };
}

/** Not in Node's documentation. If Node drops it, the test of pipelined requests fails. */
interface WithParser {
  readonly parser?: { onIncoming?: OnIncoming | null } | null;
}

/** What Node's parser of a connection calls with the head of each request. */
type OnIncoming = (incoming: IncomingMessage, shouldKeepAlive: boolean) => number;

/** The parser ignores the rest of its data, as for a connection that changes to another protocol. */
const LEAVE_THE_REST = 2;

/**
 * Ends a connection that sends a request while another one is under way on it (pipelining, which neither browsers nor
 * proxies do). The parser has to stop as well: it gets 64 KB at once, which hold thousands of requests, and each would
 * be an object of kilobytes, on every connection.
 */
function allowOneAtATime(socket: Socket, isUnderWay: () => boolean): void {
  const { parser } = socket as WithParser;
  const onIncoming = parser?.onIncoming;
  if (!parser || !onIncoming) return;
  parser.onIncoming = (incoming, shouldKeepAlive) => {
    if (!isUnderWay()) return onIncoming(incoming, shouldKeepAlive);
    socket.destroy();
    return LEAVE_THE_REST;
  };
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

/**
 * Answers at once, also when the body has not arrived: then the connection ends with the answer. Before that, the rest of
 * the body is read for a moment and dropped, because a client that sends into a closed connection never sees the
 * answer.
 */
export function answer(
  { incoming, outgoing, asksToSend }: Exchange,
  { status, headers, body }: PlainAnswer,
): void {
  if (outgoing.destroyed) return;
  const unread = hasBody(incoming) && !incoming.complete;
  if (unread) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  // A client that waits for `100 Continue` sends nothing more.
  if (!unread || asksToSend) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body);
  linger(incoming, () => outgoing.end());
}

/** Whether a request has a body, which may be empty when its length is not announced. */
function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** How long, and how much of, an unused body is still read. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 4 * 1024 * 1024;

/** Calls `done` once: at the end of the body, or when it is too long or takes too long. */
function linger(incoming: IncomingMessage, done: () => void): void {
  const fewPieces = createPieceLimit();
  let left = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    incoming.off('data', onData);
    done();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (!fewPieces(chunk.length)) incoming.socket.destroy();
    else if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  incoming.on('data', onData);
  incoming.once('end', end);
  incoming.once('close', end);
  incoming.resume();
}

/** Pieces that any body may have, and bytes that each further piece must have on average. */
const FREE_PIECES = 1_000;
const BYTES_PER_PIECE = 256;

/**
 * Counts the pieces of a body; false: far too many pieces for so few bytes. A chunk of one byte costs six on the
 * wire, and as much time as one of 64 KB.
 */
export function createPieceLimit(): (bytes: number) => boolean {
  let left = FREE_PIECES * BYTES_PER_PIECE;
  return (bytes) => {
    left += bytes - BYTES_PER_PIECE;
    return left >= 0;
  };
}

/** Rewrites an absolute target as path and Host, so that all code sees the same. False: the target names no host. */
export function takeTarget(incoming: IncomingMessage): boolean {
  const sent = incoming.url ?? '';
  const target = readTarget(sent, incoming.headers.host);
  if (target === null) return false;
  if (target.path === sent) return true;
  incoming.url = target.path;
  incoming.headers.host = target.host;
  // hono reads these.
  const others = incoming.rawHeaders.filter(
    (_text, place) => incoming.rawHeaders[place - (place % 2)]?.toLowerCase() !== 'host',
  );
  incoming.rawHeaders = ['Host', target.host ?? '', ...others];
  return true;
}

/** Scheme, authority without a user, and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\]+)([/?].*)?$/i;

/**
 * Which host and path a request is for. A server has to accept `POST http://host/path` as well. The target's
 * host then counts, not the Host header (RFC 9112, 3.2.2). Null: an absolute target that names no host.
 */
export function readTarget(
  target: string,
  host: string | undefined,
): { readonly path: string; readonly host: string | undefined } | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return { path: target, host };
  const [, authority, rest = '/'] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return null;
  return { path: rest.startsWith('?') ? `/${rest}` : rest, host: authority };
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

/** Resolves when the server listens. Rejects with Node's own error when it cannot. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (graceMs === 0) server.closeAllConnections();
  else server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
