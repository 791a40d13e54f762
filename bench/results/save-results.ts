import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { generate, ROOT } from '../../docs/generate.js';
import type { Measured, Results } from './results.js';

const FILE = fileURLToPath(new URL('../results.json', import.meta.url));
const PAGE = 'docs/dev/performance.md';

/**
 * Puts a measurement into bench/results.json, in place of an earlier one of the same benchmark, and writes the table of
 * docs/dev/performance.md. `order`: names of all benchmarks; others are dropped.
 */
export async function saveResults(measured: Measured, order: readonly string[]): Promise<void> {
  const before = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results).benchmarks : [];
  const all = [...before.filter(({ name }) => name !== measured.name), measured];
  const benchmarks = order.flatMap((name) => all.filter((each) => each.name === name));
  const text = JSON.stringify({ benchmarks } satisfies Results);
  writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), filepath: FILE }));
  writeFileSync(join(ROOT, PAGE), await generate(PAGE));
}
