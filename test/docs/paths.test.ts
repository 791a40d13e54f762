import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import { markdownFiles, proseOf } from './read-pages.js';

/** Files of the repository that a page names in backticks, with their folder; `NAME` stands for any. */
function namedFiles(text: string): string[] {
  const named = [...text.matchAll(/`((?:src|test|docs|bench|migrations)\/[\w/.-]+\.(?:ts|md|json))`/g)];
  return named.map(([, path = '']) => path).filter((path) => !/NAMES?\b/.test(path));
}

it.each(markdownFiles().filter((file) => file !== 'CHANGELOG.md'))(
  '%s names files that are there',
  (page) => {
    expect(namedFiles(proseOf(page)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
);

it('finds a file that is gone, and leaves alone what stands for any file', () => {
  expect(namedFiles('`src/gone.ts`, `src/entities/NAMES.ts`, `src/dashboard/pages/NAME-page.ts`')).toEqual([
    'src/gone.ts',
  ]);
});
