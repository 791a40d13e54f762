import { HttpsProxyAgent } from 'https-proxy-agent';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { EgressProxy } from '../runtime/egress-proxy.js';
import { closeStrayConnections } from './close-stray-connections.js';
import { connectThroughProxy } from './connect-through-proxy.js';
import { trustedRoots } from './trusted-roots.js';

/**
 * An idle connection closes before usual servers close it (5 s and more): a request that meets a server's
 * close has no reply, and its outcome would be unknown.
 */
const IDLE_CONNECTION_MS = 4_000;

export interface AgentOptions {
  /** Most connections at a time. */
  readonly concurrency: number;
  /** Bound of a connection's beginning, milliseconds. */
  readonly timeoutMs: number;
  /** Null: directly. */
  readonly proxy: EgressProxy | null;
  /** Certificates to trust beside the usual ones, PEM. */
  readonly certificates: readonly string[];
}

/** Connections of one area, kept open for a while. */
export interface PlatformAgents {
  /** For http:// addresses; through a proxy: to the proxy, which may speak TLS. */
  readonly http: HttpAgent;
  /** For https:// addresses. */
  readonly https: HttpsAgent;
}

/** The connections of one area, directly or through a proxy. */
export function createAgents({ concurrency, timeoutMs, proxy, certificates }: AgentOptions): PlatformAgents {
  // Made once: reading all roots again for each connection costs milliseconds.
  const trust =
    certificates.length === 0
      ? {}
      : { secureContext: createSecureContext({ ca: [...trustedRoots(), ...certificates] }) };
  const idle = { keepAlive: true, timeout: IDLE_CONNECTION_MS, ...trust };
  const direct = { ...idle, maxSockets: concurrency };
  if (proxy === null) {
    return {
      http: closeStrayConnections(new HttpAgent(direct)),
      https: closeStrayConnections(new HttpsAgent(direct)),
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
  Object.assign(tunnels.options, idle);
  const toProxy = address.startsWith('https:') ? new HttpsAgent(direct) : new HttpAgent(direct);
  return {
    http: closeStrayConnections(toProxy),
    https: closeStrayConnections(connectThroughProxy(tunnels, { proxy, timeoutMs })),
  };
}
