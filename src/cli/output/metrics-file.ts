import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SyncError, usageError } from '../../core/domain/errors.js';
import { io } from '../io.js';
import { replaceFile, tryReplacing } from './files.js';

/** Everybody may read the file, at any time. */
const READABLE = 0o644;

/**
 * Checks, before any work, that the file can be written: its folder takes a new file, and its path is free or a regular
 * file. `before`: its text; empty: none. `replace` replaces all of it at once. Errors: SyncError `usage`; of `replace`
 * those of the file system.
 */
export function openMetricsFile(file: string) {
  const path = resolve(io().cwd, file);
  try {
    const before = existing(path);
    // The collector reads only files that end in .prom; the unfinished file does not.
    tryReplacing(path, READABLE);
    return { before, replace: (text: string) => replaceFile(path, text, READABLE) };
  } catch (error) {
    if (error instanceof SyncError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw usageError(
      `--metrics-file ${file}: ${WHY[code] ?? code}. Nothing was read or sent.`,
      `Name a file in a folder that exists and that this user may write to, such as node-exporter's textfile folder. ${dirname(path)} is not such a folder.`,
    );
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EACCES: 'this user may not write to its folder',
  EPERM: 'this user may not write to its folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The text of a regular file. Does not wait for a pipe and follows no link. */
function existing(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    if (code === 'ELOOP' || code === 'ENXIO') throw irregular(path);
    throw error;
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw irregular(path);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function irregular(path: string): SyncError {
  return usageError(
    `--metrics-file ${path} exists and is not a regular file. Nothing was read or sent.`,
    'Name a new file or a regular one, such as /var/lib/node_exporter/placement-sync.prom.',
  );
}
