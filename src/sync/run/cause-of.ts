import { SyncError } from '../../domain/errors.js';
import { whatEnded } from './what-ended.js';

/**
 * The error that ended work under a signal. A lease that is lost, or trouble of other work beside it, ends it by the same
 * signal as a request to stop; then that is the cause, and not the interruption.
 */
export function causeOf(error: unknown, signal: AbortSignal): unknown {
  const interrupted = error instanceof SyncError && error.code === 'interrupted';
  return (interrupted ? whatEnded(signal) : null) ?? error;
}
