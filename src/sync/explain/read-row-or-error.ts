import { SyncError } from '../../domain/errors.js';
import type { EntityQuery, SourceRow } from '../../ports/source.js';
import type { RunContext } from '../run-context.js';
import { readRow } from './read-row.js';

/** The first row under one of these keys; or why it could not be read. Errors: `interrupted`, or a busy source. */
export async function readRowOrError(
  { source, signal }: Pick<RunContext, 'source' | 'signal'>,
  query: EntityQuery,
  keys: readonly string[],
): Promise<{ readonly found: SourceRow | null; readonly error: string | null }> {
  try {
    return { found: await readRow(source, query, keys, signal), error: null };
  } catch (error) {
    // The caller left or may try again; the record is not at fault.
    if (!(error instanceof SyncError) || error.code === 'interrupted' || error.details.busy === true)
      throw error;
    return { found: null, error: error.message };
  }
}
