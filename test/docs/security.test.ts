import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import { proseOf } from './read-pages.js';

const PARTS = proseOf('docs/security.md')
  .split(/^## /m)
  .slice(2)
  .map((part) => ({ title: part.split('\n')[0] ?? '', tests: part.match(/test\/[\w/-]+\.test\.ts/g) ?? [] }));

it.each(PARTS)('what is said of "$title" names tests that exist', ({ tests }) => {
  expect(tests).not.toEqual([]);
  expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
