import { SyncError } from '../domain/errors.js';

/**
 * The path that the worker signs for a request: with the base address's own path before it, encoded as it is sent,
 * and without a query, which is no part of it.
 * Errors: SyncError `usage` for a path that does not begin with "/".
 */
export function requestTarget(baseUrl: string, path: string): string {
  if (!path.startsWith('/')) {
    throw new SyncError('usage', 'The path must begin with "/".', {
      scope: 'usage',
      hint: 'Leave out the host: /api/v1/employers/{id}/company. The path of the base address is put before it.',
    });
  }
  const base = new URL(baseUrl);
  const [target = ''] = path.split(/[?#]/, 1);
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${target}`).pathname;
}
