import { SyncError } from '../../domain/errors.js';
import { asSyncError } from './as-sync-error.js';

/**
 * The error that aborted the signal: a lost lease, or an error of the work beside it. Null when the signal did not
 * abort, or somebody asked the process to stop: only that gives no reason of its own.
 */
export function whatEnded({ aborted, reason }: AbortSignal): SyncError | null {
  if (!aborted || (reason instanceof DOMException && reason.name === 'AbortError')) return null;
  return asSyncError(reason);
}

/** The error that ended work under a signal: the signal's reason if the signal only interrupted the work. */
export function causeOf(error: unknown, signal: AbortSignal): unknown {
  const interrupted = error instanceof SyncError && error.code === 'interrupted';
  return (interrupted ? whatEnded(signal) : null) ?? error;
}
