import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLookup } from '../../src/entities/lookup.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** What `industries/trading` stands for: the id of that code in `config/reference/industries.csv`. Others stay. */
export function referenceId(written: string): string {
  const [, file, code] = /^([\w-]+)\/(\w+)$/.exec(written) ?? [];
  if (file === undefined || code === undefined) return written;
  const path = join('config', 'reference', `${file}.csv`);
  const id = readLookup(readFileSync(join(ROOT, path), 'utf8'), path).entries.get(code);
  if (id === undefined) throw new Error(`${path} has no code ${code}`);
  return id;
}
