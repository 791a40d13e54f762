import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { isLoopback } from '../../core/runtime/loopback.js';

/** Where a request comes from, by its headers and its connection. */

/** The host name of a Host header, as `URL.hostname` gives it; null: the header is missing or not a host. */
export function hostnameOf(host: string | undefined): string | null {
  if (host === undefined || !URL.canParse(`http://${host}`)) return null;
  const { hostname, pathname, username } = new URL(`http://${host}`);
  return pathname === '/' && username === '' ? hostname : null;
}

/**
 * Whether a Host header names this machine. Another name may belong to a foreign page that resolves its own name to this
 * machine to read its answers.
 */
export function namesThisMachine(host: string | undefined): boolean {
  const hostname = hostnameOf(host);
  return hostname !== null && isLoopback(hostname);
}

interface OriginHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
}

/**
 * Whether a browser says that a request came from a page of this address. A program that sends neither header passes: no
 * foreign page controls it. A proxy may add TLS, so schemes are not compared.
 */
export function isOwnOrigin({ host, origin, secFetchSite }: OriginHeaders): boolean {
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin') return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the connection of a request ends: the client has left. It watches the connection, not the answer: among
 * pipelined requests, only the first one's answer gets the event.
 */
export function whenGone(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const gone = new AbortController();
  // Each request that waits on the connection adds a listener.
  setMaxListeners(0, gone.signal);
  if (socket.destroyed) gone.abort();
  else socket.once('close', () => gone.abort());
  signals.set(socket, gone.signal);
  return gone.signal;
}
