import got, { type Agents, type Method, type RequestFunction } from 'got';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { SyncError } from '../domain/errors.js';
import { type NoReply, oneLine } from '../domain/reply/reply.js';
import { NOT_SENT } from '../ports/platform.js';
import type { EgressProxy } from '../runtime/egress-proxy.js';
import { proxyUnreachable } from './agents.js';
import type { HttpReply } from './read-reply.js';

interface ExchangeRequest {
  readonly url: URL;
  /** Upper case. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Bound of the whole exchange: name look-up, connection, sending and reading. */
  readonly timeoutMs: number;
  readonly agent: Agents;
  /** The proxy that the agent uses. Default: none. */
  readonly proxy?: EgressProxy | null;
  /** Called when the connection has just taken the whole request, if that is known to a few milliseconds. */
  readonly onWritten?: (() => void) | undefined;
  /** Asked just before the connection takes the request, or a part of it. False: it takes nothing, and is closed. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/**
 * From the moment when a connection is ready to the one when it has taken the request, milliseconds. It takes less than one;
 * after more the process stood still, and nobody knows whether before the write or after it.
 */
const LONGEST_WRITE_MS = 5;

/** How a connection ends that the other side has closed. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Most interim replies (100, 102, 103) before the reply: more than any server needs. Each alone is bounded. */
const MOST_INTERIM_REPLIES = 20;

/** OpenSSL on an answer that is no TLS. */
const NO_TLS = /wrong version number|packet length too long|http request|record layer failure/i;
const PORT_WITHOUT_TLS = 'the port does not speak TLS, and the address begins with https://';

/** A reply is a few hundred bytes, a Find a few kilobytes; one that carries a picture or debugging output has more. */
const LARGEST_REPLY_MIB = 16;
const LARGEST_REPLY_BYTES = LARGEST_REPLY_MIB * 1024 * 1024;

/**
 * One HTTP exchange, from the request to the whole reply or the reason why there is none. A failure before the connection
 * could carry the request is `unreachable`; after that the platform may have seen it: `silent`. No retry, no redirect, and
 * an end within `timeoutMs` whatever the server does. Afterwards its connection is closed, or back with the agent. Never rejects for a fault of network or server; SyncError
 * `config-invalid` for a header that cannot be sent, which no later attempt can change. Of a library's error only code
 * and message leave this function, because the error object holds the request with its signature and body.
 */
export function exchange(request: ExchangeRequest): Promise<HttpReply | NoReply> {
  return new Promise((resolve, reject) => new Exchange(request, resolve, reject).begin());
}

class Exchange {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Whether a connection could carry the request. If not, the platform has not seen it. */
  private established = false;
  /** When it could, by `performance.now()`. */
  private readyAt = -Infinity;
  /** Whether the connection was idle before, and has brought nothing since it took the request. */
  private unheard = (): boolean => false;
  /** Whether a success came before the whole payload was sent: then it does not mean this payload. */
  private early = (): boolean => false;
  private interim = 0;
  private head: Omit<HttpReply, 'body'> | null = null;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  /** The outcome is known: whatever comes now changes nothing. */
  private ended = false;

  constructor(
    private readonly request: ExchangeRequest,
    private readonly resolve: (outcome: HttpReply | NoReply) => void,
    private readonly reject: (error: SyncError) => void,
  ) {}

  begin(): void {
    const { url, method, headers, body, agent, proxy = null, timeoutMs } = this.request;
    const forwarded = url.protocol === 'http:' ? proxy : null;
    this.timer = setTimeout(() => {
      const by = proxy === null ? '' : ` through the proxy ${proxy.address}`;
      const what = this.established ? 'no complete reply' : `no connection${by}`;
      this.fail('ETIMEDOUT', `${what} within ${timeoutMs / 1000} s`);
    }, timeoutMs);
    const stream = got.stream(url, {
      method: method as Method,
      headers: { ...headers },
      ...(body === null ? {} : { body }),
      agent,
      request: sendAs(this.request, forwarded),
      signal: this.controller.signal,
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
      http2: false,
    });
    stream.on('request', (sent: ClientRequest) => this.watch(sent));
    stream.on('response', (response: { statusCode: number; headers: HttpReply['headers'] }) => {
      this.head = { status: response.statusCode, headers: response.headers };
    });
    stream.on('data', (chunk: Buffer) => {
      this.size += chunk.length;
      if (this.size > LARGEST_REPLY_BYTES)
        this.fail('ERR_REPLY_TOO_LARGE', `the reply exceeds ${LARGEST_REPLY_MIB} MiB`);
      else this.chunks.push(chunk);
    });
    // Over TLS Node notes only a turn later that all was written, and a fast reply may be read before that.
    stream.on('end', () => (this.early() ? setImmediate(() => this.complete()) : this.complete()));
    stream.on('error', (error) => this.failed(error, forwarded));
    // Except for a GET, got expects that a body may follow, and waits for the stream's end.
    if (method !== 'GET' && body === null) stream.end();
    // After the work that `end` delayed by one turn.
    stream.on('close', () =>
      setImmediate(() => this.fail('ERR_CLOSED', 'the connection closed before the reply was complete')),
    );
  }

  private watch(sent: ClientRequest): void {
    const { mayLeave, onWritten } = this.request;
    if (mayLeave)
      guardWrites(sent, mayLeave, (begun) => {
        this.established = begun;
        this.fail(NOT_SENT, 'the time of the request was over before the connection took it');
      });
    whenEstablished(sent, (socket) => {
      this.established = !this.ended;
      this.readyAt = performance.now();
      const { bytesRead } = socket;
      this.unheard = () => sent.reusedSocket && socket.bytesRead === bytesRead;
    });
    sent.once('finish', () => {
      const isTimely = performance.now() - this.readyAt <= LONGEST_WRITE_MS;
      if (!this.ended && this.head === null && isTimely) onWritten?.();
    });
    sent.on('information', () => {
      this.interim += 1;
      if (this.interim > MOST_INTERIM_REPLIES)
        this.fail('ERR_INTERIM_REPLIES', 'the server sends interim replies without end');
    });
    // Node hands the connection over with the 101: neither an abort nor the agent would close it.
    sent.on('upgrade', ({ statusCode = 101, headers }: IncomingMessage, socket: Socket) => {
      socket.destroy();
      if (this.ended) return;
      this.finish({ status: statusCode, headers, body: Buffer.alloc(0) });
      this.controller.abort();
    });
    sent.on('response', (response: IncomingMessage) => {
      const { statusCode = 0, socket } = response;
      this.early = () => statusCode >= 200 && statusCode <= 299 && !sent.writableFinished;
      // It cannot carry another request after a 101, or while the server does not read the rest of this one.
      response.once('end', () => {
        if (statusCode === 101) socket.destroy();
        else setImmediate(() => sent.writableFinished || socket.destroy());
      });
    });
  }

  private complete(): void {
    if (this.head === null) this.fail('ERR_NO_REPLY', 'the connection ended before a reply');
    else if (this.early()) this.fail('ERR_EARLY_REPLY', 'the reply came before the request was sent');
    else if (!this.ended) this.finish({ ...this.head, body: Buffer.concat(this.chunks) });
  }

  private failed(error: Error & { code?: string }, forwarded: EgressProxy | null): void {
    // First: afterwards comes only the close of a stream that never began.
    if (error.code === 'ERR_INVALID_CHAR') this.reject(unsendable());
    const { established } = this;
    const { code = 'ERR_UNKNOWN', message } =
      forwarded === null || established ? error : proxyUnreachable(forwarded, error);
    if (NO_TLS.test(message) && !established && code === 'EPROTO') this.fail('TLS_MISSING', PORT_WITHOUT_TLS);
    else this.fail(code, message);
  }

  private fail(code: string, message: string): void {
    // No abort after a success: it would only create errors with stacks.
    if (this.ended) return;
    const what = { code, message: oneLine(message) };
    if (!this.established) this.finish({ kind: 'unreachable', ...what });
    else if (CLOSED.has(code) && this.unheard())
      this.finish({ kind: 'silent', ...what, onIdleConnection: true });
    else this.finish({ kind: 'silent', ...what });
    this.controller.abort();
  }

  private finish(outcome: HttpReply | NoReply): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.resolve(outcome);
  }
}

/**
 * Sends with the names of headers as they were given: got makes them lower case, which HTTP allows and some gateways do
 * not. With `proxy` an http:// address is asked for by the whole address, over a connection to the proxy.
 */
function sendAs(
  { headers: given }: Pick<ExchangeRequest, 'headers'>,
  proxy: EgressProxy | null,
): RequestFunction {
  const names = new Map([...OF_GOT, ...Object.keys(given)].map((name) => [name.toLowerCase(), name]));
  const written = (headers: RequestOptions['headers']) =>
    Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [names.get(name) ?? name, value]),
    );
  return (url: URL, usual: RequestOptions, callback) => {
    const headers = written(usual.headers);
    const options = { ...usual, insecureHTTPParser: false };
    if (proxy === null) {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      return send(url, { ...options, headers }, callback);
    }
    const { address, authorization } = proxy;
    const { protocol, hostname: host, port } = new URL(address);
    const hostname = host.replace(/^\[|\]$/g, '');
    // Node would check the proxy's certificate for the host in the header, which is the platform's.
    const at = { protocol, hostname, port, servername: isIP(hostname) === 0 ? hostname : '' };
    const more = {
      Host: url.host,
      ...(authorization === null ? {} : { 'Proxy-Authorization': authorization }),
    };
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    return send({ ...options, ...at, path: url.href, headers: { ...headers, ...more } }, callback);
  };
}

/** Headers that got adds. */
const OF_GOT = ['Accept-Encoding', 'Content-Length'];

/**
 * Calls back once the request has a connection that carries data: TCP, and over TLS a finished handshake. Until
 * then Node holds the bytes back, so a failure before it means that the platform has seen nothing.
 */
function whenEstablished(request: ClientRequest, established: (socket: Socket) => void): void {
  const watch = (socket: Socket): void => whenReady(socket, () => established(socket));
  if (request.socket === null) request.once('socket', watch);
  else watch(request.socket);
}

function whenReady(socket: Socket, then: () => void): void {
  const secure = socket instanceof TLSSocket;
  // A reused connection is established; over TLS its Finished message shows it.
  const ready = secure ? Boolean(socket.getFinished()) : !socket.connecting;
  if (ready) then();
  else socket.once(secure ? 'secureConnect' : 'connect', then);
}

/**
 * Asks `mayLeave` at the last moment: a process that stood still goes on where it was, and the event of a connection that is
 * ready comes before that of a timer that is over. What is written before that waits for the same event, behind this listener.
 */
function guardWrites(sent: ClientRequest, mayLeave: () => boolean, refused: (begun: boolean) => void): void {
  sent.once('socket', (socket) => {
    let [ready, begun] = [false, false];
    const isRefused = (): boolean => {
      if (mayLeave()) return false;
      refused(ready && begun);
      socket.destroy();
      return true;
    };
    whenReady(socket, () => (ready = !isRefused()));
    for (const name of ['_write', '_writev'] as const) {
      const write = socket[name]?.bind(socket) as ((...given: unknown[]) => void) | undefined;
      const guarded = (...given: unknown[]): void => {
        if (ready && isRefused()) return (given.at(-1) as (error: Error) => void)(new Error(NOT_SENT));
        begun = true;
        write?.(...given);
      };
      if (write) Object.assign(socket, { [name]: guarded });
      // Before the connection has its next request.
      sent.once('close', () => Reflect.deleteProperty(socket, name));
    }
  });
}

function unsendable(): SyncError {
  return new SyncError(
    'config-invalid',
    'A header of the request holds a character that HTTP cannot carry.',
    {
      scope: 'run',
      hint: 'Check clientId and headers: a line feed at the end of a secret’s file is a common cause.',
    },
  );
}
