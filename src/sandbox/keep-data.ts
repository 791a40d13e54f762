import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { SyncError, usageError } from '../domain/errors.js';
import { replaceFile } from '../runtime/files.js';
import { createStore, type Store, type StoreContents } from './store.js';

/**
 * A store whose contents outlive the sandbox. At the start they are read from one file of the folder. A change is written a
 * second later, with all that changed meanwhile: the file is replaced as a whole, so a kill leaves the old contents or the
 * new ones. At the end the rest is written. Only one sandbox uses the folder at a time.
 */

const DATA_FILE = 'sandbox.json';
const FORMAT = { format: 'placement-sync sandbox', version: 1 };

const PAUSE_MS = 1_000;
/** Writing takes at most about a tenth of the time, however much there is to write. */
const PAUSE_PER_WRITE = 10;
const PAUSE_AFTER_FAILURE_MS = 10_000;

/** A lock that was not renewed for so long is of a process that was killed, milliseconds. */
const STALE_MS = 5_000;
/** Somewhat longer than such a lock lasts. */
const WAIT_FOR_LOCK = { retries: 12, factor: 1, minTimeout: 500, maxTimeout: 500 };

interface OpenData {
  readonly store: Store;
  /** Writes what is not written yet, and gives the folder back. Errors: SyncError `unexpected` when writing fails. */
  close(): Promise<void>;
}

/**
 * Opens a store over a folder, which is created when it is missing. Errors: SyncError `usage` for a folder that is in use or
 * cannot be used, and for a broken file, which stays as it is.
 * @param onFailure called when the file could not be written; it is tried again
 */
export async function openData(folder: string, onFailure: (error: Error) => void): Promise<OpenData> {
  const path = join(folder, DATA_FILE);
  let lost: Error | null = null;
  const unlock = await lockFolder(folder, (error) => (lost = error));
  let pauseMs = PAUSE_MS;
  let timer: NodeJS.Timeout | null = null;

  const write = (): void => {
    if (lost) throw lost;
    const start = performance.now();
    replaceFile(path, JSON.stringify({ ...FORMAT, ...store.contents() }), 0o644);
    pauseMs = Math.max(PAUSE_MS, PAUSE_PER_WRITE * (performance.now() - start));
  };
  const writeIn = (ms: number): void => {
    timer = setTimeout(() => {
      timer = null;
      try {
        write();
      } catch (error) {
        onFailure(error as Error);
        writeIn(PAUSE_AFTER_FAILURE_MS);
      }
    }, ms);
    // `close` writes the rest: the timer must not delay the end of the process.
    timer.unref();
  };
  const onChange = (): void => {
    if (timer === null) writeIn(pauseMs);
  };
  let store: Store;
  try {
    store = readStore(folder, onChange);
  } catch (error) {
    await unlock();
    throw error;
  }

  return {
    store,
    async close() {
      try {
        if (timer === null) return;
        clearTimeout(timer);
        write();
      } catch (error) {
        throw new SyncError('unexpected', `${path} could not be written: ${(error as Error).message}.`, {
          scope: 'run',
          hint: 'It holds the last successful write; later changes are lost.',
          cause: error,
        });
      } finally {
        await unlock();
      }
    },
  };
}

/** @param onLost called when another process has taken the folder, or it is gone */
async function lockFolder(folder: string, onLost: (error: Error) => void): Promise<() => Promise<void>> {
  try {
    mkdirSync(folder, { recursive: true });
    const unlock = await lock(join(folder, DATA_FILE), {
      realpath: false,
      stale: STALE_MS,
      retries: WAIT_FOR_LOCK,
      onCompromised: onLost,
    });
    // It may be lost already.
    return () => unlock().catch(() => undefined);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [problem, hint] =
      code === 'ELOCKED'
        ? ['is in use by another sandbox', 'Give each sandbox a folder of its own, or end the other one.']
        : [`cannot hold data: ${message}`, 'Name a folder that this user may write.'];
    throw usageError(`${folder} ${problem}.`, hint, error);
  }
}

function readStore(folder: string, onChange: () => void): Store {
  const path = join(folder, DATA_FILE);
  if (!existsSync(path)) return createStore({ onChange });
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    const { format, version, ...contents } = JSON.parse(text) as typeof FORMAT & StoreContents;
    if (format !== FORMAT.format) throw new Error('it is not the data of a sandbox');
    if (version !== FORMAT.version) throw new Error('this program does not know its version');
    // Without them the sandbox would begin empty, and write over the file.
    if (!Array.isArray(contents.records) || !Array.isArray(contents.forgotten))
      throw new Error('its lists are missing');
    return createStore({ contents, onChange });
  } catch (error) {
    throw usageError(
      `${path} cannot be read: ${(error as Error).message}.`,
      'The file was left as it is. Restore it from a copy, or move it away to start without records.',
      error,
    );
  }
}
