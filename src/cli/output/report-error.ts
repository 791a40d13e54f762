import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import { writeError } from './write.js';

/** Tells a person what went wrong and what to do; gives the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof SyncError) {
    writeError(`error: ${error.message}${error.hint ? `\n  → ${error.hint}` : ''}`);
    return ERROR_CODES[error.code];
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeError(`error: ${text}\n  → This is a defect; please report it with the lines above.`);
  return 1;
}
