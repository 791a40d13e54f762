import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Files that are written whole or not at all, and folders that are only tried.
 */

/**
 * Replaces the whole text of a file at once, or not at all. The file gets exactly `mode`, whatever the umask is.
 * Errors: those of the file system; then the old file is still there.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  writeBeside(path, text, mode, (unfinished) => renameSync(unfinished, path));
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
      // Otherwise a power failure may leave the new name with no text.
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    then(unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Checks that `replaceFile` can write there. Errors: those of the file system. */
export function tryReplacing(path: string, mode: number): void {
  writeBeside(path, '', mode, rmSync);
}

/**
 * Writes a new file, and the folders above it. False: there is one already, also one that is only a link; it stays as
 * it is. Errors: those of the file system; then nothing of the file is left.
 */
export function createFile(path: string, content: Buffer): boolean {
  mkdirSync(dirname(path), { recursive: true });
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(descriptor, content);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/**
 * Tries to make the folder and something in it, and removes what it made: nothing is left. Errors: those of the file
 * system, such as EACCES and EROFS.
 */
export function tryFolder(folder: string): void {
  const first = existsSync(folder) ? mkdirSync(folder, { recursive: true }) : makeFolders(folder);
  try {
    rmdirSync(mkdtempSync(join(folder, '.try-')));
  } finally {
    if (first !== undefined) removeUpTo(folder, first);
  }
}

/**
 * Makes a folder with those above it, and says which was the first that was missing. Step by step: in a file system that
 * makes no folders (`/proc`) the recursive call of Node 20 never ends.
 */
function makeFolders(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const above = dirname(folder) === folder ? undefined : makeFolders(dirname(folder));
  mkdirSync(folder);
  return above ?? folder;
}

/** Removes empty folders from `folder` up to `first`. One that somebody has filled meanwhile stays. */
function removeUpTo(folder: string, first: string): void {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}
