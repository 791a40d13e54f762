import { SyncError } from '../../domain/errors.js';

/** An error of the source's keys, with the query file and the column that it comes from; any other as it is. */
export function withQueryNamed(error: unknown, { queryFile }: { readonly queryFile: string }): unknown {
  if (!(error instanceof SyncError)) return error;
  const { code, message, scope, hint, details } = error;
  const ofSource = code === 'duplicate-key' || (code === 'key-order' && details.side === 'source');
  if (!ofSource) return error;
  return new SyncError(code, `${queryFile}: ${message} (column key).`, {
    scope,
    hint,
    details: { ...details, file: queryFile },
    cause: error.cause,
  });
}
