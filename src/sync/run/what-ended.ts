import { SyncError } from '../../domain/errors.js';

/**
 * Why a signal ended the work, when that was trouble: a lost lease, or an error of the work beside it. Null when it has
 * not aborted, or somebody asked the process to stop.
 */
export function whatEnded({ aborted, reason }: AbortSignal): SyncError | null {
  return aborted && reason instanceof SyncError ? reason : null;
}

/** The error that ended work under a signal: what ended the signal, where the work was only interrupted by it. */
export function causeOf(error: unknown, signal: AbortSignal): unknown {
  const interrupted = error instanceof SyncError && error.code === 'interrupted';
  return (interrupted ? whatEnded(signal) : null) ?? error;
}
