import { SyncError } from '../../domain/errors.js';
import { withoutAddressDigests } from '../../entities/index.js';
import type { EntityQuery } from '../../ports/source.js';

/**
 * An error about the source's keys, with query file and column added; any other unchanged. It contains nothing of an
 * applicant's address.
 */
export function withQueryNamed(
  error: unknown,
  { entity, file }: Pick<EntityQuery, 'entity' | 'file'>,
): unknown {
  if (!(error instanceof SyncError)) return error;
  const { code, scope, hint, details } = error;
  if (code !== 'duplicate-key' && code !== 'key-order') return error;
  const message = withoutAddressDigests(entity, error.message);
  const shown = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutAddressDigests(entity, value) : value,
    ]),
  );
  const ofSource = code === 'duplicate-key' || details.side === 'source';
  return new SyncError(code, ofSource ? `${file}: ${message} (column key).` : message, {
    scope,
    hint,
    details: ofSource ? { ...shown, file } : shown,
    cause: error.cause,
  });
}
