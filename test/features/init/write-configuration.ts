import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { readLookup } from '../../../src/core/entities/lookup.js';
import type { Decisions } from './schema-files.js';

/** Writes the configuration of an engineer who wrote every file by hand. Returns the path of the YAML. */
export function writeConfiguration(
  folder: string,
  { settings, queries, lookups }: Decisions,
  base: Readonly<Record<string, unknown>>,
): string {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  for (const [entity, sql] of Object.entries(queries)) write(`queries/${entity}.sql`, sql);
  for (const [file, rows] of Object.entries(lookups)) write(file, csvOf(rows));
  return write('placement-sync.yaml', stringify(merge(base, settings)));
}

function csvOf(rows: Readonly<Record<string, string>>): string {
  const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = Object.entries(rows).map(([code, id]) => `${cell(code)},${cell(referenceId(id))}`);
  return `${['code,id', ...lines].join('\n')}\n`;
}

/** Blocks are merged, everything else replaced. */
export function merge(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    merged[name] = isBlock(before) && isBlock(value) ? merge(before, value) : value;
  }
  return merged;
}

function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ROOT = join(import.meta.dirname, '../../..');

/** What `industries/trading` stands for: the id of that code in `config/reference/industries.csv`. Others stay. */
export function referenceId(written: string): string {
  const [, file, code] = /^([\w-]+)\/(\w+)$/.exec(written) ?? [];
  if (file === undefined || code === undefined) return written;
  const path = join('config', 'reference', `${file}.csv`);
  const id = readLookup(readFileSync(join(ROOT, path), 'utf8'), path).entries.get(code);
  if (id === undefined) throw new Error(`${path} has no code ${code}`);
  return id;
}
