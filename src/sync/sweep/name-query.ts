import type { EntityName } from '../../domain/entity-name.js';
import { SyncError } from '../../domain/errors.js';
import { withoutAddressDigests } from '../../entities/record-name.js';

/**
 * An error of the source's keys, with the query file and the column that it comes from; any other as it is. Nothing in
 * it stands for an applicant's address.
 */
export function withQueryNamed(
  error: unknown,
  { queryFile, entity }: { readonly queryFile: string; readonly entity: { readonly name: EntityName } },
): unknown {
  if (!(error instanceof SyncError)) return error;
  const { code, scope, hint, details } = error;
  if (code !== 'duplicate-key' && code !== 'key-order') return error;
  const message = withoutAddressDigests(entity.name, error.message);
  const shown = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutAddressDigests(entity.name, value) : value,
    ]),
  );
  const ofSource = code === 'duplicate-key' || details.side === 'source';
  return new SyncError(code, ofSource ? `${queryFile}: ${message} (column key).` : message, {
    scope,
    hint,
    details: ofSource ? { ...shown, file: queryFile } : shown,
    cause: error.cause,
  });
}
