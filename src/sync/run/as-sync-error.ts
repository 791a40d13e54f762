import { SyncError } from '../../domain/errors.js';
import { oneLineUpTo } from '../../domain/reply/reply.js';

/** A defect's message may quote anything, of any length; it is stored with the run. */
const LONGEST_MESSAGE = 1_000;

/** The error as a SyncError; any other error is a defect, so it becomes `unexpected`. */
export function asSyncError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SyncError('unexpected', oneLineUpTo(LONGEST_MESSAGE, message), { scope: 'run', cause: error });
}
