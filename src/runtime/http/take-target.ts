import type { IncomingMessage } from 'node:http';

/** Path and query as sent, and the host that the request is for. */
export interface Target {
  readonly path: string;
  readonly host: string | undefined;
}

/** Scheme, authority without a user, and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\]+)([/?].*)?$/i;

/**
 * Which host and path a request is for. A server has to take `POST http://host/path` as well, and the host is then the
 * target's, whatever the Host header says (RFC 9112, 3.2.2). Null: an absolute target that names no host. Pure.
 */
export function readTarget(target: string, host: string | undefined): Target | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return { path: target, host };
  const [, authority, rest = '/'] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return null;
  return { path: rest.startsWith('?') ? `/${rest}` : rest, host: authority };
}

/**
 * Writes an absolute target as path and Host, so that whatever looks at either sees the same. False: there is no
 * telling what the request is for.
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
