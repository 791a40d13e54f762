import { SyncError } from '../../domain/errors.js';

/** The error as a SyncError; any other error is a defect, so it becomes `unexpected`. */
export function asSyncError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SyncError('unexpected', message, { scope: 'run', cause: error });
}
