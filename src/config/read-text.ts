import { readFileSync } from 'node:fs';

/**
 * A file's text without its byte order mark. Errors: those of the file system, and
 * `ERR_ENCODING_INVALID_ENCODED_DATA` for bytes that are no UTF-8, which would otherwise turn letters into `\uFFFD`
 * without a word; `describeFileError` has words for all of them.
 */
export function readText(file: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
}
