import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SyncError } from '../domain/errors.js';
import { io } from './io.js';

/** The bytes of a file (`-`: standard input), unchanged: the signature covers a line feed at the end too. */
export function readBody(file: string): Buffer {
  const { cwd, readInput } = io();
  try {
    return file === '-' ? readInput() : readFileSync(resolve(cwd, file));
  } catch (error) {
    throw new SyncError('usage', `The body ${file} cannot be read: ${(error as Error).message}`, {
      scope: 'usage',
    });
  }
}
