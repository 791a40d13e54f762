import type { StoreContents } from '../store.js';
import { writeData } from './write-data.js';

/** Writes what changed, a little later. */
export interface KeptData {
  /** To be called when the contents changed. */
  changed(): void;
  /** Writes what is not written yet. Rejects with Node's own error when that fails. */
  flush(): Promise<void>;
}

export interface KeepDataOptions {
  readonly path: string;
  /** The contents of this moment: a copy. */
  readonly contents: () => StoreContents;
  /** The file could not be written. It is tried again. */
  readonly onFailure: (error: Error) => void;
}

/** Shortest time from a change to its writing. */
const PAUSE_MS = 500;
/** Writing takes at most about a tenth of the time, however much there is to write. */
const PAUSE_PER_WRITE = 10;
const PAUSE_AFTER_FAILURE_MS = 10_000;

/** Keeps a file in step with contents that change. All changes of a pause are written at once. */
export function keepData({ path, contents, onFailure }: KeepDataOptions): KeptData {
  let dirty = false;
  let pauseMs = PAUSE_MS;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (!dirty) return;
    dirty = false;
    const start = performance.now();
    try {
      await writeData(path, contents());
    } catch (error) {
      dirty = true;
      pauseMs = PAUSE_AFTER_FAILURE_MS;
      throw error;
    }
    pauseMs = Math.max(PAUSE_MS, PAUSE_PER_WRITE * (performance.now() - start));
  }

  function schedule(): void {
    if (timer !== null) return;
    timer = setTimeout(() => {
      writing = write()
        .catch((error: unknown) => onFailure(error as Error))
        .finally(() => {
          timer = null;
          if (dirty) schedule();
        });
    }, pauseMs);
    // `flush` writes the rest: the timer must not delay the end of the process.
    timer.unref();
  }

  return {
    changed() {
      dirty = true;
      schedule();
    },
    async flush() {
      await writing;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await write();
    },
  };
}
