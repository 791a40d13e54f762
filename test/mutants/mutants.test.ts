import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { copyProject, type ProjectCopy } from '../copy-project.js';
import { MUTANTS, planted } from './plant.js';
import { runTests } from './run-tests.js';
import { words } from '../words.js';

/** What the tests of the tables read. */
const COPIED = words(`
  src migrations config docs bench test build.ts package.json tsconfig.json vitest.config.ts`);

/** Of all tests of the tables. */
const ALL_LIMIT_MS = 1_700_000;
/** Of one test or file with a bug: longer than any of them takes, shorter than this lane waits for one. */
const LIMIT_MS = 240_000;

let copy: ProjectCopy;

/** Tests of commands start some of them as processes, which run what was built. */
function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: copy.folder, stdio: 'inherit' });
}

beforeAll(() => {
  copy = copyProject(COPIED);
  build();
});
afterAll(() => copy.remove());

it('without a bug every test passes', { timeout: 1_800_000 }, async () => {
  const files = [...new Set(MUTANTS.map(({ file }) => file))];
  const { passed, ...others } = await runTests(copy.folder, {
    files,
    postgresUrl: inject('postgresUrl'),
    limitMs: ALL_LIMIT_MS,
  });
  expect(others).toEqual({ failed: [], broken: [], hung: false });
  const missing = MUTANTS.filter(({ title = '' }) => !passed.some((name) => name.includes(title)));
  expect(missing, 'named, but did not run').toEqual([]);
});

for (const promise of new Set(MUTANTS.map((mutant) => mutant.promise))) {
  describe(promise || 'What is reported', () => {
    // A loop, because `it.each` cuts the rules in its names.
    for (const mutant of MUTANTS.filter((one) => one.promise === promise)) {
      it(mutant.rule, async () => {
        const { rule, file, title } = mutant;
        const [place] = planted(mutant);
        if (!place) throw new Error('the bug has no place');
        const path = join(copy.folder, place.path);
        writeFileSync(path, place.text);
        try {
          if (file.startsWith('test/cli/')) build();
          const choice = { files: [file], title, postgresUrl: inject('postgresUrl'), limitMs: LIMIT_MS };
          const end = await runTests(copy.folder, choice);
          if (end.hung) {
            process.stdout.write(`noticed because ${file} did not end: ${rule}\n`);
            return;
          }
          expect(end.broken, 'a file that cannot run notices nothing').toEqual([]);
          expect(end.failed, `tests of ${file} that notice the bug`).not.toEqual([]);
        } finally {
          writeFileSync(path, place.was);
        }
      });
    }
  });
}
