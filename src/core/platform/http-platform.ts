import { randomUUID } from 'node:crypto';
import type { AdapterRequest, AdapterTools } from '../contract/adapter.js';
import { operationPath, type Operations } from '../contract/operation.js';
import { HEADER_NAMES } from '../contract/request-headers.js';
import {
  signatureProfile,
  type SignatureProfile,
  type SignatureProfileName,
  type SigningInput,
} from '../contract/signature.js';
import { requestTimestamp } from '../contract/time.js';
import type { Area } from '../domain/names.js';
import { ADAPTER_FAILED, failureCause, type NoReply, type Reply } from '../domain/reply/reply.js';
import { operation as operationNamed } from '../entities/index.js';
import type { Clock } from '../ports/clock.js';
import type { Platform, PlatformRequest } from '../ports/platform.js';
import type { EgressProxy } from '../runtime/egress-proxy.js';
import { adapterCache, type AdapterDoor, type AdapterFailure, digest, hmac } from './adapter.js';
import { type ConnectionOptions, createConnections, explainAlert, proxyRefused } from './agents.js';
import type { exchange as Exchange } from './exchange.js';
import { adapted, adapterReply, type HttpReply, readReply } from './read-reply.js';

/**
 * One area of the platform over HTTP. A request passes in this order: operation and id become an address, the body becomes
 * bytes once, headers are signed at that moment (`signedHeaders`), the adapter has the last word, one exchange is made, the
 * adapter says what came back, and the reply is read. Every `send` is one attempt; every fault of a server comes back as a Reply.
 */

export interface HttpPlatformOptions extends ConnectionOptions {
  /** Address of one area; may have a path of its own, which is then part of the signed Request-Target. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signatureProfile: SignatureProfileName;
  readonly clock: Clock;
  readonly operations: Operations;
  readonly version: string;
  /** Further headers of every request. They are not signed, and replace ours of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The partner's module, where the platform differs; null: none. */
  readonly adapter?: AdapterDoor | null;
}

/** Longest time for the question whether a port speaks TLS, milliseconds. */
const ASK_MS = 2_000;

export interface HttpPlatform extends Platform {
  /** What would leave for a request that is no operation of ours: signed now, and after the adapter. */
  leaving(request: {
    readonly area: Area;
    readonly operation: string;
    readonly method: string;
    /** From the host on. */
    readonly path: string;
    readonly requestId: string;
    readonly body: Buffer | null;
  }): Promise<AdapterRequest | AdapterFailure>;
}

/** Errors: TypeError for an invalid base URL. `send` never throws for a fault of a server. */
export function createHttpPlatform(options: HttpPlatformOptions): HttpPlatform {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const signer = {
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    profile: signatureProfile(options.signatureProfile),
    userAgent: `placement-sync/${options.version}`,
    headers: options.headers ?? {},
  };
  const { timeoutMs, proxy = null, clientCertificate = null, adapter = null } = options;
  const connections = createConnections(options);
  // A tenth of all modules: a run with nothing to send starts without them.
  let exchange: typeof Exchange | null = null;
  const load = async () => (exchange = (await import('./exchange.js')).exchange);
  /** Whether the port of an http:// address speaks TLS: asked once, if it ends connections before it ever answered one. */
  let speaksTls = base.protocol === 'http:' && proxy === null ? null : Promise.resolve(false);
  const askForTls = async (timeoutMs: number): Promise<boolean> => {
    const url = new URL(`https://${base.hostname}:${base.port || 80}`);
    const agent = connections.agents(true);
    const plain = { method: 'GET', headers: {}, body: null, proxy: null } as const;
    const outcome = await (exchange ?? (await load()))({ ...plain, url, timeoutMs, agent });
    return !('kind' in outcome) || ['certificate', 'tls-alert'].includes(failureCause(outcome) ?? '');
  };
  const explained = async (noReply: NoReply, leftMs: number): Promise<NoReply> => {
    const isNoHttp = NO_HTTP.test(noReply.message);
    if (isNoHttp && (await (speaksTls ??= askForTls(Math.max(1, Math.min(ASK_MS, leftMs))))))
      return { ...TLS_EXPECTED, kind: noReply.kind };
    return explainAlert(noReply, clientCertificate?.cert ?? null, connections.unread());
  };

  return {
    async prepare() {
      await load();
    },

    async send(request): Promise<Reply> {
      const exchangeNow = exchange ?? (await load());
      const askedAt = options.clock.monotonic();
      const leftMs = () => timeoutMs - (options.clock.monotonic() - askedAt);
      const { operation, built, signer: signing } = signedRequest(request);
      const outgoing =
        adapter === null
          ? built
          : await adapter.request(built, toolsOf(request, signing, operation.area), leftMs());
      if ('failure' in outgoing) return adapterFailed('unreachable', outgoing.failure);
      // From the origin, so that user name and query of the base URL are never sent.
      const url = new URL(`${base.origin}${outgoing.path}`);
      const sent = await exchangeNow({
        url,
        method: outgoing.method,
        headers: outgoing.headers,
        body: outgoing.body === null ? null : Buffer.from(outgoing.body),
        timeoutMs: adapter === null ? timeoutMs : Math.max(leftMs(), 1),
        agent: connections.agents(request.newConnection === true),
        proxy,
        onWritten: request.onWritten,
        mayLeave: request.mayLeave,
      });
      if ('kind' in sent) return explained(sent, leftMs());
      if (sent.status === 400 && url.protocol === 'http:' && FOR_TLS.test(startOf(sent.body)))
        return TLS_EXPECTED;
      speaksTls ??= Promise.resolve(false);
      const byProxy = refusedByProxy(sent, url, proxy);
      // A 403 may be about the record. After a 5xx nobody knows whether the platform has it.
      if (byProxy !== null && sent.status !== 403)
        return {
          kind: sent.status === 407 ? 'unreachable' : 'silent',
          code: 'PROXY_REFUSED',
          message: byProxy,
        };
      const reading = {
        operation,
        platformId: request.platformId,
        receivedAt: options.clock.now(),
        sentBytes: sent.status === 413 ? outgoing.body?.length : undefined,
        byProxy,
        secrets: [
          options.clientSecret,
          ...Object.values(outgoing.headers).filter((value) => !Object.values(built.headers).includes(value)),
          built.headers[HEADER_NAMES.signature] ?? '',
          ...Object.values(options.headers ?? {}),
        ],
      };
      if (adapter === null) return readReply(sent, reading);
      const about = {
        area: operation.area,
        operation: operation.name,
        key: request.key ?? null,
        platformId: request.platformId,
      };
      const verdict = await adapter.reply(adapterReply(sent), about, timeoutMs);
      if (verdict !== undefined && 'failure' in verdict) return adapterFailed('silent', verdict.failure);
      const answer = readReply(sent, reading);
      return verdict === undefined ? answer : adapted(answer, verdict, operation);
    },

    async leaving({ area, operation, method, path, requestId, body }) {
      const now = options.clock.now();
      const headers = signedHeaders(signer, { method, requestTarget: path, requestId, body, now });
      const built = { operation, method, path, headers, body };
      return adapter === null
        ? built
        : adapter.request(built, toolsOf({ requestId }, signer, area), timeoutMs);
    },

    close() {
      connections.close();
      return Promise.resolve();
    },
  };

  /** What is sent where no adapter says otherwise. */
  function signedRequest(request: PlatformRequest) {
    const operation = operationNamed(request.operation, options.operations);
    const { method } = operation;
    const path = operationPath(operation.path, request.platformId);
    const body = request.body === null ? null : Buffer.from(JSON.stringify(request.body), 'utf8');
    const signing = request.wrongSignature ? { ...signer, clientSecret: randomUUID() } : signer;
    const requestTarget = new URL(`${base.origin}${prefix}${path}`).pathname;
    const { requestId } = request;
    const headers = signedHeaders(signing, {
      method,
      requestTarget,
      requestId,
      body,
      now: options.clock.now(),
    });
    const built: AdapterRequest = { operation: operation.name, method, path: requestTarget, headers, body };
    return { operation, built, signer: signing };
  }

  function toolsOf(
    { requestId }: Pick<PlatformRequest, 'requestId'>,
    signing: Signer,
    area: Area,
  ): AdapterTools {
    const { clientId, clientSecret: secret } = signing;
    const now = options.clock.now();
    return {
      area,
      clientId,
      secret,
      requestId,
      now: new Date(now),
      sign: ({ method, path, body }) =>
        signatureHeaders(signing, {
          method,
          requestTarget: path.replace(/\?.*$/, ''),
          requestId,
          body,
          now,
        }),
      hmac,
      digest,
      fetch: async (url, { method = 'GET', headers = {}, body = null } = {}) => {
        const exchangeNow = exchange ?? (await load());
        const agent = connections.agents(false);
        const bytes = body === null ? null : Buffer.from(body);
        const target = new URL(url);
        const outcome = await exchangeNow({
          url: target,
          method,
          headers,
          body: bytes,
          timeoutMs,
          agent,
          proxy,
        });
        if ('kind' in outcome) throw new Error(`${target.origin} does not answer: ${outcome.message}`);
        return responseOf(outcome);
      },
      cache: adapterCache(
        `${base.origin} ${clientId} ${Buffer.from(digest('sha256', secret)).toString('hex')}`,
      ),
    };
  }
}

function adapterFailed(kind: NoReply['kind'], message: string): NoReply {
  return { kind, code: ADAPTER_FAILED, message };
}

/** Statuses whose reply has no body. */
const BODYLESS: readonly number[] = [101, 204, 205, 304];

function responseOf({ status, headers, body }: HttpReply): Response {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );
  return new Response(BODYLESS.includes(status) ? null : new Uint8Array(body), { status, headers: lines });
}

export interface Signer {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly profile: SignatureProfile;
  readonly userAgent: string;
  /** Further headers. One of the same name, in any case, replaces Accept or User-Agent. */
  readonly headers: Readonly<Record<string, string>>;
}

interface RequestToSign extends Omit<SigningInput, 'clientId' | 'timestamp'> {
  /** Moment of sending, milliseconds since the epoch. */
  readonly now: number;
}

/** Every header that the worker sets: the four of interface §5 and those for the form of the bodies. */
export function signedHeaders(signer: Signer, request: RequestToSign): Record<string, string> {
  const { body } = request;
  // Where a cache stands in between, a Find would show the record as it was once.
  const fresh = request.method === 'GET' ? { 'Cache-Control': 'no-cache' } : {};
  const own = { Accept: 'application/json', 'User-Agent': signer.userAgent, ...fresh };
  const replaced = new Set(Object.keys(signer.headers).map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))),
    ...signer.headers,
    ...signatureHeaders(signer, request),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  };
}

/** The four of interface §5. */
function signatureHeaders(signer: Signer, request: RequestToSign): Record<string, string> {
  const { now, ...signed } = request;
  const { clientId } = signer;
  const timestamp = requestTimestamp(now);
  const signature = signer.profile.signature({ ...signed, clientId, timestamp }, signer.clientSecret);
  return {
    [HEADER_NAMES.clientId]: clientId,
    [HEADER_NAMES.requestId]: signed.requestId,
    [HEADER_NAMES.timestamp]: timestamp,
    [HEADER_NAMES.signature]: signature,
  };
}

/** A proxy that no setting names: it takes the requests on their way. */
const UNNAMED = { address: 'in between', authorization: null, namedBy: 'platform.proxy' };

/** How servers answer plain HTTP at a port for TLS: nginx, Apache, Go, Tomcat. */
const FOR_TLS =
  /plain HTTP request was sent to HTTPS|plain HTTP to an SSL-enabled|HTTP request to an HTTPS server|host and port requires TLS/i;

/** The words of Node when no byte came, or what does not begin as a reply of HTTP. */
const NO_HTTP = /^(socket hang up|read ECONNRESET|Parse Error: Expected HTTP)/;

const TLS_EXPECTED: NoReply = {
  kind: 'unreachable',
  code: 'TLS_EXPECTED',
  message: 'the port speaks TLS, and the address begins with http://',
};

/** A proxy that passes http:// on gives error pages of its own, which name it. */
const NAMES_PROXY = /^\s*<.*\b(proxy|squid)\b/is;

/** Why a proxy has answered itself, in words; null: it has not. Only a proxy answers 407. */
function refusedByProxy({ status, body }: HttpReply, url: URL, proxy: EgressProxy | null): string | null {
  const mayBePage = url.protocol === 'http:' && proxy !== null && [403, 502, 503, 504].includes(status);
  const own = status === 407 || (mayBePage && NAMES_PROXY.test(startOf(body)));
  return own ? proxyRefused(proxy ?? UNNAMED, status).message : null;
}

function startOf(body: Buffer): string {
  return body.toString('latin1', 0, 16_384);
}
