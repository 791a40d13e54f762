import { SyncError } from '../../domain/errors.js';

/** What a statement ends with whose signal has aborted. */
export function interruptedState(cause?: Error): SyncError {
  return new SyncError('interrupted', 'Stopped by a signal while the state database was waited for.', {
    scope: 'run',
    hint: 'Somebody holds a lock on its tables, or it is slow. Nothing is lost: what was under way is done again.',
    cause,
  });
}
