import { HttpsProxyAgent } from 'https-proxy-agent';
import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import {
  checkServerIdentity,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import type { NoReply } from '../domain/reply/reply.js';
import {
  type ClientCertificate,
  type ClientCertificateFiles,
  readClientCertificate,
  versionOf,
} from '../runtime/client-certificate.js';
import type { EgressProxy } from '../runtime/egress-proxy.js';

/**
 * The connections of one area: kept open for a while, with the certificates to trust, directly or through a proxy. Every
 * agent drops a connection on which something arrives that nobody asked for (`closeStrayConnections`); through a proxy it
 * also keeps errors of the proxy apart from those of the platform (`connectThroughProxy`). With a client certificate the
 * agents are made again when its files change (`createConnections`), and what the platform says to it gets words
 * (`explainAlert`).
 */

export interface ConnectionOptions {
  readonly concurrency: number;
  /** Bound of one request with its reply, and of a connection's beginning, milliseconds. */
  readonly timeoutMs: number;
  readonly proxy?: EgressProxy | null;
  /** Certificates to trust beside the usual ones, PEM. */
  readonly certificates?: readonly string[];
  /** For the addresses of names: of the platform, or of the proxy. Default: that of the system. */
  readonly lookup?: LookupFunction | undefined;
  /** Shown to the platform, never to a proxy; its files are read again when they change. */
  readonly clientCertificate?: ClientCertificateFiles | null;
}

type Agents = ReturnType<typeof createAgents>;

interface Connections {
  /** Those of the next request. `own`: a connection for this request alone. */
  agents(own: boolean): Agents;
  /** Why the files of the client certificate cannot be used as they are now; null: they can. */
  unread(): string | null;
  close(): void;
}

/**
 * The connections of one area. Renewed files of the client certificate count from the next request on; until both can be used
 * together, the earlier ones do. Requests that are under way end on their own connections.
 */
export function createConnections({
  clientCertificate: files = null,
  ...options
}: ConnectionOptions): Connections {
  let version: string | null = null;
  let shown: ClientCertificate | null = null;
  let problem: string | null = null;
  let made: { kept?: Agents; own?: Agents } = {};
  let earlier = made;

  const renew = (from: ClientCertificateFiles): void => {
    const now = versionOf(from);
    if (now !== null && now === version) return;
    try {
      shown = readClientCertificate(from);
    } catch (error) {
      problem = error instanceof TypeError ? error.message : `${from.cert} or ${from.key} cannot be read`;
      return;
    }
    problem = null;
    version = now;
    destroy(earlier);
    earlier = made;
    made = {};
  };
  return {
    agents(own) {
      if (files !== null) renew(files);
      const passphrase = files?.passphrase ?? null;
      const make = (keepAlive: boolean) =>
        createAgents({ ...options, keepAlive, shown: shown && { ...shown, passphrase } });
      return own ? (made.own ??= make(false)) : (made.kept ??= make(true));
    },
    unread: () => problem,
    close() {
      destroy(earlier);
      destroy(made);
    },
  };
}

function destroy({ kept, own }: { readonly kept?: Agents; readonly own?: Agents }): void {
  for (const agents of [kept, own]) {
    agents?.http.destroy();
    agents?.https.destroy();
  }
}

interface AgentOptions extends Omit<ConnectionOptions, 'clientCertificate'> {
  readonly shown: (ClientCertificate & { readonly passphrase: string | null }) | null;
  /** False: a connection for each request. */
  readonly keepAlive: boolean;
}

/**
 * An idle connection closes before usual servers close it (5 s and more): a request that meets a server's
 * close has no reply, and its outcome would be unknown.
 */
const IDLE_CONNECTION_MS = 4_000;

/** Connections of one area, for http:// and for https:// addresses. */
function createAgents({
  concurrency,
  timeoutMs,
  proxy = null,
  certificates = [],
  shown,
  keepAlive,
  lookup,
}: AgentOptions) {
  // Made once: reading all roots again for each connection costs milliseconds.
  const trust = certificates.length === 0 ? {} : { ca: [...trustedRoots(), ...certificates] };
  const { passphrase, ...pair } = shown ?? { passphrase: null };
  const known = passphrase === null ? pair : { ...pair, passphrase };
  const common = { keepAlive, timeout: IDLE_CONNECTION_MS, ...(lookup && { lookup }) };
  const idle = { ...common, ...contextOf(trust) };
  const toPlatform = shown === null ? idle : { ...common, ...contextOf({ ...trust, ...known }) };
  const direct = { ...idle, maxSockets: concurrency };
  if (proxy === null) {
    return {
      http: closeStrayConnections(new HttpAgent(direct)),
      https: closeStrayConnections(new HttpsAgent({ ...toPlatform, maxSockets: concurrency })),
    };
  }
  const { address, authorization } = proxy;
  const tunnels = new HttpsProxyAgent(address, {
    ...idle,
    noDelay: true,
    // Not in the address, which the library writes to its debug log.
    headers: authorization === null ? {} : { 'Proxy-Authorization': authorization },
  });
  // Its constructor forgets them; they close idle connections and check the platform's certificate. No `maxSockets`: the
  // library would leave requests that wait for a place waiting when a connection fails. The rate limit bounds them.
  Object.assign(tunnels.options, toPlatform);
  // It may speak TLS, whatever the address that is asked for.
  const toProxy = address.startsWith('https:') ? new HttpsAgent(direct) : new HttpAgent(direct);
  return {
    http: closeStrayConnections(toProxy),
    https: closeStrayConnections(connectThroughProxy(tunnels, { proxy, timeoutMs })),
  };
}

/** Nothing when Node's own context will do. */
function contextOf(options: SecureContextOptions): { readonly secureContext?: SecureContext } {
  return Object.keys(options).length === 0 ? {} : { secureContext: createSecureContext(options) };
}

/** Since Node 22.15: what Node trusts by default, with NODE_EXTRA_CA_CERTS and the options of its command line. */
const { getCACertificates } = tls as { readonly getCACertificates?: (type: 'default') => string[] };

/** The certificates that Node trusts without our doing, PEM. A list of one's own replaces all of them. */
function trustedRoots(): readonly string[] {
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/**
 * Makes the agent close an idle connection on which something arrives. HTTP/1.1 does not number its replies: after a
 * double answer, the second one would count as the reply to the next request. Gives the agent.
 */
function closeStrayConnections<A extends Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  const close = function (this: Duplex): void {
    this.destroy();
  };
  agent.keepSocketAlive = (socket) => {
    socket.on('data', close);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close);
    reuse(socket, request);
  };
  return agent;
}

type Tunnels = HttpsProxyAgent<string>;

/**
 * Makes an agent of the library keep what `exchange` promises. A proxy that cannot be reached or refuses to connect
 * is an error of the connection: the library would hand its reply over as the platform's. A connection that does not
 * come about ends after `timeoutMs`, and with the agent. The platform's certificate is checked against the platform's
 * own name, also when that is an IP address. Gives the agent.
 */
function connectThroughProxy(
  agent: Tunnels,
  { proxy, timeoutMs }: { readonly proxy: EgressProxy; readonly timeoutMs: number },
): Tunnels {
  const connect = agent.connect.bind(agent);
  const destroy = agent.destroy.bind(agent);
  const pending = new Set<AbortController>();

  agent.connect = async (request, target) => {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), timeoutMs);
    pending.add(ending);
    let status: number | null = null;
    const note = (reply: { readonly statusCode?: number }): void => {
      status = reply.statusCode ?? null;
    };
    request.once('proxyConnect', note);
    try {
      // The library takes this before its first pause, so no other connection gets this signal.
      agent.connectOpts = { ...agent.connectOpts, signal: ending.signal };
      const socket = await connect(request, checked(target));
      if (status === null || status === 200) return socket;
      socket.destroy();
    } catch (error) {
      throw proxyUnreachable(proxy, ending.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : error);
    } finally {
      clearTimeout(timer);
      pending.delete(ending);
      request.off('proxyConnect', note);
    }
    throw proxyRefused(proxy, status);
  };
  agent.destroy = () => {
    pending.forEach((ending) => ending.abort());
    destroy();
  };
  return agent;
}

/** The library leaves the host out, and Node would check the certificate against the proxy's name for an IP address. */
function checked(target: Parameters<Tunnels['connect']>[1]): typeof target {
  if (!target.secureEndpoint) return target;
  const { host = '' } = target;
  return { ...target, checkServerIdentity: (_: string, shown) => checkServerIdentity(host, shown) };
}

/** An error of a connection, with the code that the program knows it by. */
type ConnectionError = Error & { readonly code: string };

/** The proxy did not answer, or not as a proxy does. */
export function proxyUnreachable({ address, namedBy }: EgressProxy, cause: unknown): ConnectionError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return connectionError(
    'PROXY_UNREACHABLE',
    `the proxy ${address} (${namedBy}) could not be reached: ${why}`,
  );
}

function connectionError(code: string, message: string): ConnectionError {
  return Object.assign(new Error(message), { code });
}

const MEANINGS: Readonly<Record<number, string>> = {
  403: 'it does not allow this address',
  407: 'it asks for user and password, or refuses them',
  502: 'it could not reach the platform',
  503: 'it could not reach the platform',
  504: 'it could not reach the platform',
};

/** The proxy answered itself, so the platform has seen nothing. */
export function proxyRefused({ address, namedBy }: EgressProxy, status: number): ConnectionError {
  const meaning = MEANINGS[status];
  return connectionError(
    'PROXY_REFUSED',
    `The proxy ${address} refused the connection (${status}${meaning === undefined ? '' : `, ${meaning}`}): check ${namedBy}`,
  );
}

/** What the other side says about a client certificate, by the number of its TLS alert (RFC 8446, section 6). */
const SAID_OF_CERTIFICATE: Readonly<Record<number, string>> = {
  42: 'it is damaged, or signed in a way that the server does not take',
  43: 'it is of a kind that the server does not take',
  44: 'it is revoked',
  45: 'it has expired, or is not valid yet',
  46: 'the server does not say why',
  48: 'the server does not know the authority that issued it',
  49: 'it is valid, but may not be used here',
};

const CERTIFICATE_REQUIRED = 116;

/**
 * An outcome in our own words when the platform ended the TLS handshake. Over TLS 1.3 that comes after the request was
 * written; but a server that refuses a certificate has read nothing that came behind it.
 * @param shown the file of our certificate; null: none is configured
 */
export function explainAlert(outcome: NoReply, shown: string | null, unread: string | null): NoReply {
  const number = Number(/SSL alert number (\d+)/.exec(outcome.message)?.[1] ?? 0);
  if (number === 0 || outcome.code.startsWith('PROXY_')) return outcome;
  const renewed = unread === null ? '' : `; its files cannot be used as they are now: ${unread}`;
  const said = SAID_OF_CERTIFICATE[number];
  if (number === CERTIFICATE_REQUIRED || (said !== undefined && shown !== null)) {
    const message =
      said === undefined
        ? `the server asks for a client certificate${shown === null ? ', and none is configured' : `, and does not take ${shown} for one`}`
        : `the server refuses our client certificate (${shown ?? ''}): ${said}`;
    const code = said === undefined ? 'CLIENT_CERTIFICATE_REQUIRED' : 'CLIENT_CERTIFICATE_REFUSED';
    return { kind: 'unreachable', code, message: `${message}${renewed}` };
  }
  return { ...outcome, code: `TLS_ALERT_${number}` };
}
