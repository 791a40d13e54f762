import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSettings } from '../../src/config/list-settings.js';
import { settingsSchema } from '../../src/config/schema.js';

/** Whatever is read outside of `config/`, where settings are declared. */
const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('config/'))
  .map((name) => readFileSync(join('src', name), 'utf8'))
  .join('\n');
/** What config itself makes of settings: files, lookups, operations. */
const loading = ['load.ts', 'read-entity-files.ts', 'operation-enabled.ts', 'read-lookup-file.ts', 'rules.ts']
  .map((name) => readFileSync(join('src/config', name), 'utf8'))
  .join('\n');

/** Settings that no code names. A duration `x` is read as `xMs`. */
function unused(names: readonly string[], text: string): string[] {
  return names.filter((name) => !new RegExp(`\\b${name}(Ms)?\\b`).test(text));
}

it('every setting is read by something', () => {
  const leaves = listSettings(settingsSchema)
    .map(({ path }) => path.at(-1) ?? '')
    .filter((name) => /^\w+$/.test(name));
  expect(leaves.length).toBeGreaterThan(50);
  expect(unused([...new Set(leaves)], code + loading)).toEqual([]);
});

it('finds one that nobody reads', () => {
  expect(unused(['staleAfter', 'poolMax', 'nobodyReadsThis'], code)).toEqual(['nobodyReadsThis']);
});
