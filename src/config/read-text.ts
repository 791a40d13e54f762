import { readFileSync } from 'node:fs';

/**
 * A file's text without its byte order mark. Errors: those of the file system, and
 * `ERR_ENCODING_INVALID_ENCODED_DATA` for bytes that are not UTF-8: decoding would silently turn them into `\uFFFD`.
 * `describeFileError` describes all of them.
 */
export function readText(file: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
}
