import { SyncError } from '../domain/errors.js';

/**
 * The path that the worker signs for a request: it begins with the base address's own path, is encoded as sent, and has
 * no query.
 * Errors: SyncError `usage` for a path that does not begin with "/".
 */
export function requestTarget(baseUrl: string, path: string): string {
  if (!path.startsWith('/')) {
    throw new SyncError('usage', 'The path must begin with "/".', {
      scope: 'usage',
      hint: 'Leave out the host: /api/v1/employers/{id}/company. The worker puts the path of the base address before it.',
    });
  }
  const base = new URL(baseUrl);
  const [target = ''] = path.split(/[?#]/, 1);
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${target}`).pathname;
}
