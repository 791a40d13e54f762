import { readFileSync } from 'node:fs';

/** Parsed JSON of a file below `test/fixtures`. */
export function readFixture(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8'));
}
