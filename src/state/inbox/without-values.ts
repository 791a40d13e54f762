import { SyncError } from '../../domain/errors.js';

/**
 * The error of storing an application, for log and tables: Postgres quotes an applicant's values in some messages, so
 * of what it says only the SQLSTATE is left. An error that says of itself that it has no values passes.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof SyncError) || error.code !== 'state-failed') return error;
  const { details, scope, hint } = error;
  if (details.withoutValues === true) return error;
  const { code } = details;
  const state = typeof code === 'string' && code !== '' ? ` (SQLSTATE ${code})` : '';
  return new SyncError('state-failed', `The state database refused to store an application${state}.`, {
    scope,
    hint,
    details: { ...details, withoutValues: true },
    cause: error,
  });
}
