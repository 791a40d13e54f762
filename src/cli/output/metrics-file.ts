import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import { io } from '../io.js';
import { replaceFile, tryReplacing } from '../../runtime/replace-file.js';

/** A file that a program beside this one reads at any time. */
export interface MetricsFile {
  /** What it held when it was opened; empty: nothing. */
  readonly before: string;
  /** Puts the whole text in its place at once, readable for everybody. Errors: those of the file system. */
  replace(text: string): void;
}

const READABLE = 0o644;

/**
 * Makes sure, before any work, that the file can be written: its folder takes a new file, and nothing but a regular
 * file is in its place. Errors: SyncError `usage`.
 */
export function openMetricsFile(file: string): MetricsFile {
  const path = resolve(io().cwd, file);
  try {
    const before = existing(path);
    // The collector reads what ends in .prom; the unfinished file does not.
    tryReplacing(path, READABLE);
    return { before, replace: (text) => replaceFile(path, text, READABLE) };
  } catch (error) {
    if (error instanceof SyncError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SyncError('usage', `--metrics-file ${file}: ${WHY[code] ?? code}. Nothing was read or sent.`, {
      scope: 'usage',
      hint: `Name a file in a folder that exists and that this user may write, such as node-exporter's textfile folder: ${dirname(path)} is not one.`,
    });
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EACCES: 'its folder may not be written by this user',
  EPERM: 'its folder may not be written by this user',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** What a regular file holds; of a pipe nothing is waited for, and no link is followed. */
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
  return new SyncError(
    'usage',
    `--metrics-file ${path} is there and is no regular file. Nothing was read or sent.`,
    {
      scope: 'usage',
      hint: 'Name a file that may be replaced, such as /var/lib/node_exporter/placement-sync.prom.',
    },
  );
}
