import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeFileError } from '../describe-file-error.js';
import { leadsOut } from '../leads-out.js';
import { readText } from '../read-text.js';
import { MAX_FILE } from './pack-files.js';

/** The text of a tenant's file and its bytes on disk, or why it cannot be stored, to follow the file's name. */
export function readTenantText(
  file: string,
): { readonly text: string; readonly bytes: number } | { readonly problem: string } {
  try {
    // A problem quotes keys, so a link must not bring in what its author may not read.
    if (leadsOut(dirname(file), file)) return { problem: 'is a link to a file outside of its folder' };
    const stats = statSync(file);
    if (stats.size > MAX_FILE) return { problem: 'is larger than 1 MiB' };
    // Reading a pipe could wait forever.
    if (!stats.isFile()) return { problem: 'is not a file' };
    const text = readText(file);
    if (text.includes('\0')) return { problem: 'has the character U+0000, which Postgres cannot take' };
    return { text, bytes: stats.size };
  } catch (error) {
    return { problem: describeFileError(error) };
  }
}
