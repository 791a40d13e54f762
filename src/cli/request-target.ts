import { SyncError } from '../domain/errors.js';

/**
 * A path as the worker sends it: it begins with the base address's own path, or with `prefix` in its place as the worker
 * signs it, is encoded as sent, and has no query.
 * Errors: SyncError `usage` for a path that does not begin with "/".
 */
export function requestTarget(baseUrl: string, path: string, prefix: string | null = null): string {
  if (!path.startsWith('/')) {
    throw new SyncError('usage', 'The path must begin with "/".', {
      scope: 'usage',
      hint: 'Leave out the host: /api/v1/employers/{id}/company. The worker puts the path of the base address before it.',
    });
  }
  const base = new URL(baseUrl);
  const [target = ''] = path.split(/[?#]/, 1);
  return new URL(`${base.origin}${prefix ?? base.pathname.replace(/\/+$/, '')}${target}`).pathname;
}
