import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/core/config/load.js';
import { SyncError } from '../../../src/core/domain/errors.js';
import { configFolder, SMALL } from './config-folder.js';
import { words } from '../../words.js';

/** Loads the text; what is refused must be refused in order: a list of problems, each with its place. */
function judge(folder: string, text: string | Uint8Array): void {
  writeFileSync(join(folder, 'config.yaml'), text);
  try {
    loadConfig({ file: 'config.yaml', env: { A: 'x' }, cwd: folder });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    expect(error).toMatchObject({ code: 'config-invalid', scope: 'usage' });
    const problems = error.message.split('\n').slice(1);
    // What is no text at all has no lines to name.
    if (problems.length === 0) expect(error.message).toMatch(/config\.yaml.*UTF-8/);
    for (const problem of problems) expect(problem).toMatch(/^config\.yaml:\d+: /);
  }
}

const YAML_BITS = [
  ':',
  ': ',
  '- ',
  '\n',
  '\n  ',
  '\t',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '&a',
  '*a',
  '!x ',
  '${A}',
  '${',
  '$$',
  '#',
  '|',
  '>',
  '---\n',
  '?',
  '%',
  '<<: ',
  'null',
  '1e9',
  '~',
  '\u0000',
  '😀',
  '__proto__',
];

it('random text and bytes are taken or refused with places, and never make it fail otherwise', () => {
  const folder = configFolder();
  const text = fc.array(fc.oneof(fc.constantFrom(...YAML_BITS), fc.string({ maxLength: 3 })), {
    maxLength: 25,
  });
  fc.assert(
    fc.property(text, (bits) => judge(folder, bits.join(''))),
    { numRuns: 150 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => judge(folder, bytes)),
    { numRuns: 100 },
  );
});

it('a configuration into which something was dropped, or from which something was cut', () => {
  const folder = configFolder();
  const edit = fc.record({
    at: fc.nat(SMALL.length),
    cut: fc.nat(30),
    insert: fc.oneof(fc.constantFrom(...YAML_BITS), fc.string({ unit: 'binary', maxLength: 8 })),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      judge(
        folder,
        edits.reduce((text, { at, cut, insert }) => text.slice(0, at) + insert + text.slice(at + cut), SMALL),
      );
    }),
    { numRuns: 150 },
  );
});

it('any value at any setting', () => {
  const folder = configFolder();
  const settings = words(`
    source state ids platform entities guards retry sweep schedule webhook verify http notify logging`);
  const inner = words(`
    url jobs signature operations companies vacancies sync secrets public admin smtp poolMax timeZone query
    lookups`);
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('10m', '-1s', '1e999', '${A}', 'x'.repeat(5_000), 9e99, '* * * * *'),
  );
  const block = fc.oneof(
    value,
    fc.dictionary(
      fc.constantFrom(...inner),
      fc.oneof(value, fc.dictionary(fc.constantFrom(...inner), value)),
      { maxKeys: 3 },
    ),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...settings), block, { maxKeys: 4 }), (data) =>
      judge(folder, stringify(data)),
    ),
    { numRuns: 150 },
  );
});
