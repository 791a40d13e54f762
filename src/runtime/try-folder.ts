import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Tries to make the folder and something in it, and removes what it made: nothing is left. Errors: those of the file
 * system, such as EACCES and EROFS.
 */
export function tryFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  try {
    rmdirSync(mkdtempSync(join(folder, '.try-')));
  } finally {
    if (first !== undefined) removeUpTo(folder, first);
  }
}

/** Removes empty folders from `folder` up to `first`. One that somebody has filled meanwhile stays. */
function removeUpTo(folder: string, first: string): void {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}
