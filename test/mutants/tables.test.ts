import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { TEST_FILES } from '../lanes.js';
import { MUTANTS, planted } from './plant.js';

const textOf = (file: string) => readFileSync(file, 'utf8');

const PROMISES = [
  ...(textOf('docs/trust.md').split('\n## Security\n')[0] ?? '').matchAll(/^### (.+)$/gm),
].map(([, title = '']) => title);

it('every bug can be planted: its place is there, and there once', () => {
  const misfits = MUTANTS.map((mutant) => {
    const found = planted(mutant);
    return { rule: mutant.rule, at: mutant.at, places: found[0]?.text === found[0]?.was ? 0 : found.length };
  }).filter(({ places }) => places !== 1);
  expect(misfits, 'give the table the present code').toEqual([]);
});

it('a file with a bug is still TypeScript', () => {
  for (const mutant of MUTANTS)
    for (const { text } of planted(mutant))
      expect(() => transformSync(text, { loader: 'ts' }), mutant.rule).not.toThrow();
});

it('every bug has a test to notice it', () => {
  const missing = MUTANTS.filter(
    ({ file, title = '' }) => !TEST_FILES.includes(file) || !textOf(file).includes(title),
  );
  expect(missing, 'give the table the present name of the test').toEqual([]);
});

it('every promise of the guarantees has a bug that breaks it, and each belongs to a promise', () => {
  const named = new Set(MUTANTS.map(({ promise }) => promise).filter((promise) => promise !== ''));
  expect([...named].sort()).toEqual(PROMISES.toSorted());
});

it('every rule is a sentence of its own', () => {
  const rules = MUTANTS.map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules.filter((rule) => !/^[A-Z].*\.$/.test(rule))).toEqual([]);
});
