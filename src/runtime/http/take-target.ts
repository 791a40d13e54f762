import type { IncomingMessage } from 'node:http';

/** Path and query as sent, and the host that the request is for. */
export interface Target {
  readonly path: string;
  readonly host: string | undefined;
}

/** Scheme, authority without a user, and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\]+)([/?].*)?$/i;

/**
 * Which host and path a request is for. A server has to accept `POST http://host/path` as well. The target's
 * host then counts, not the Host header (RFC 9112, 3.2.2). Null: an absolute target that names no host. Pure.
 */
export function readTarget(target: string, host: string | undefined): Target | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return { path: target, host };
  const [, authority, rest = '/'] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return null;
  return { path: rest.startsWith('?') ? `/${rest}` : rest, host: authority };
}

/**
 * Rewrites an absolute target as path and Host, so that all code sees the same. False: the target names no host.
 */
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
