import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import { createStore, type Store } from '../store.js';
import { keepData } from './keep-data.js';
import { lockFolder } from './lock-folder.js';
import { readData } from './read-data.js';

/** Name of the file in the folder. */
export const DATA_FILE = 'sandbox.jsonl';

/** A store whose contents are kept in a folder. */
export interface OpenData {
  readonly store: Store;
  /** Writes what is not written yet, and gives the folder back. Errors: SyncError `unexpected` when writing fails. */
  close(): Promise<void>;
}

/**
 * Opens a store over a folder, which is created when it is missing. Only this process uses the folder until `close`.
 * @param onFailure called when the file could not be written; it is tried again Errors: SyncError `usage` for a
 *   folder that is in use or cannot be used, and for a broken file, which stays as it is.
 */
export async function openData(folder: string, onFailure: (error: Error) => void): Promise<OpenData> {
  const path = join(folder, DATA_FILE);
  const unlock = lock(folder);
  try {
    const contents = await readData(path);
    const store = createStore({ contents, onChange: () => kept.changed() });
    const kept = keepData({ path, contents: () => store.contents(), onFailure });
    return {
      store,
      close: () =>
        kept
          .flush()
          .catch((error: unknown) => {
            throw unwritten(path, error);
          })
          .finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function unwritten(path: string, cause: unknown): SyncError {
  return new SyncError('unexpected', `${path} could not be written: ${(cause as Error).message}.`, {
    scope: 'run',
    hint: 'It holds the last successful write; later changes are lost.',
    cause,
  });
}

function lock(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true });
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof SyncError) throw error;
    throw new SyncError('usage', `${folder} cannot hold data: ${(error as Error).message}.`, {
      scope: 'usage',
      hint: 'Name a folder that this user may write.',
      cause: error,
    });
  }
}
