import { readFileSync } from 'node:fs';
import { SyncError } from '../domain/errors.js';

/** The bytes as they are, a line feed at the end included; `-`: standard input. Errors: SyncError `usage`. */
export function readBodyFile(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new SyncError('usage', `The body ${file} cannot be read: ${(error as Error).message}`, {
      scope: 'usage',
    });
  }
}
