import { isIP } from 'node:net';
import { hostnameOf } from '../runtime/http/own-origin.js';
import { isLoopback, listensOnLoopback } from '../runtime/loopback.js';

export interface HostRules {
  /** Address that is listened on. */
  readonly listening: string;
  /** Further names, in lower case. */
  readonly names: readonly string[];
}

/**
 * Whether the sandbox answers a request with this Host header. A page on the internet can point its own name at the
 * sandbox and then read and change it (DNS rebinding). So the sandbox answers on loopback only to names of this
 * machine. Elsewhere it also answers to addresses and to names without a dot: services of Docker Compose have them,
 * public pages do not. Pure.
 */
export function answersTo(host: string | undefined, { listening, names }: HostRules): boolean {
  const hostname = hostnameOf(host);
  if (hostname === null) return false;
  if (isLoopback(hostname) || names.includes(hostname)) return true;
  if (listensOnLoopback(listening)) return false;
  return hostname === listening.toLowerCase() || isAddress(hostname) || !hostname.includes('.');
}

/** As `URL.hostname` writes addresses. */
function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
