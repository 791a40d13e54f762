import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runTests } from './run-tests.js';
import { temporaryFolder } from '../temporary-folder.js';

test('tests that a bug keeps going are ended, with all their processes, and count as hung', async () => {
  const folder = temporaryFolder();
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'test'));
  // In the place of one that needs no Postgres.
  const file = 'test/architecture.test.ts';
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default { test: { testTimeout: 100 } };');
  // No timer fires beside it.
  const spin = 'async () => { for (;;) await null; }';
  writeFileSync(join(folder, file), `import { test } from 'vitest';\ntest('spins', ${spin});\n`);
  const end = await runTests(folder, { files: [file], postgresUrl: 'none', limitMs: 4_000 });
  expect(end).toEqual({ passed: [], failed: [], broken: [], hung: true });
});
