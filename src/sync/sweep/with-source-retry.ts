import { SyncError } from '../../domain/errors.js';

/** Reads once more when a replica cancelled the first read because of a recovery conflict. `undo` runs before. */
export async function withSourceRetry<T>(read: () => Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SyncError) || error.details.recoveryConflict !== true) throw error;
    await undo();
    return read();
  }
}
