import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import { proseOf } from './read-pages.js';

const PROMISES = proseOf('docs/guarantees.md')
  .split(/^## /m)
  .slice(1)
  .filter((part) => !part.startsWith('Not guaranteed'))
  .map((part) => ({ title: part.split('\n')[0] ?? '', tests: part.match(/test\/[\w/-]+\.test\.ts/g) ?? [] }));

it.each(PROMISES)('the promise "$title" names tests that exist', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it('there are promises', () => {
  expect(PROMISES.length).toBeGreaterThan(8);
});
