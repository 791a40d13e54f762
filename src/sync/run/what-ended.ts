import { SyncError } from '../../domain/errors.js';

/**
 * Why a signal ended the work, when that was trouble: a lost lease, or an error of the work beside it. Null when it has
 * not aborted, or somebody asked the process to stop.
 */
export function whatEnded({ aborted, reason }: AbortSignal): SyncError | null {
  return aborted && reason instanceof SyncError ? reason : null;
}
