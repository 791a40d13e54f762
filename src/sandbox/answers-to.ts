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
 * Whether the sandbox answers a request with this Host header. A page of the outside world can have a name of its own
 * lead to the sandbox and then read and change it (DNS rebinding), so it answers to no such name: on loopback to names
 * of this machine, elsewhere also to addresses and to names without a dot, which no public page has and a service of
 * Docker Compose does. Pure.
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
