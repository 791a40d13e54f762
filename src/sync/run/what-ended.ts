import { SyncError } from '../../domain/errors.js';

/**
 * The error that aborted the signal: a lost lease, or an error of the work beside it. Null when the signal did not
 * abort, or somebody asked the process to stop.
 */
export function whatEnded({ aborted, reason }: AbortSignal): SyncError | null {
  return aborted && reason instanceof SyncError ? reason : null;
}

/** The error that ended work under a signal: the signal's reason if the signal only interrupted the work. */
export function causeOf(error: unknown, signal: AbortSignal): unknown {
  const interrupted = error instanceof SyncError && error.code === 'interrupted';
  return (interrupted ? whatEnded(signal) : null) ?? error;
}
