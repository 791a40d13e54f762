import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Puts the whole text in the place of a file at once, or not at all; `mode` holds whatever the umask takes away.
 * Errors: those of the file system, and then the old file is still there.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  writeBeside(path, text, mode, (unfinished) => renameSync(unfinished, path));
}

/** Makes sure that `replaceFile` could write there. Errors: those of the file system. */
export function tryReplacing(path: string, mode: number): void {
  writeBeside(path, '', mode, rmSync);
}

/**
 * The file beside it is hidden, has a name that nobody can foresee, and is made anew: where others may write to the
 * folder, a link of theirs would lead into another file.
 */
function writeBeside(path: string, text: string, mode: number, then: (unfinished: string) => void): void {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const descriptor = openSync(unfinished, 'wx', mode);
  try {
    try {
      writeFileSync(descriptor, text);
      fchmodSync(descriptor, mode);
    } finally {
      closeSync(descriptor);
    }
    then(unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
