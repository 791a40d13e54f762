import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces the whole text of a file at once, or not at all. The file gets exactly `mode`, whatever the umask is.
 * Errors: those of the file system; then the old file is still there.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  writeBeside(path, text, mode, (unfinished) => renameSync(unfinished, path));
}

/** Checks that `replaceFile` can write there. Errors: those of the file system. */
export function tryReplacing(path: string, mode: number): void {
  writeBeside(path, '', mode, rmSync);
}

/**
 * The temporary file is hidden, new, and has a random name: if others may write to the folder, a link of theirs could
 * lead to another file.
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
