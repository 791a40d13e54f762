import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SyncError } from '../domain/errors.js';
import { io } from './io.js';

/** The bytes of a file, `-`: of standard input, as they are: a line feed at the end would be signed too. */
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
