import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TEST_FILES } from '../lanes.js';
import { MUTANTS } from './all.js';

const textOf = (file: string) => readFileSync(file, 'utf8');

const PROMISES = [
  ...(textOf('docs/trust.md').split('\n## Security\n')[0] ?? '').matchAll(/^### (.+)$/gm),
].map(([, title = '']) => title);

it('every bug can be planted: its place is there, and there once', () => {
  const misfits = MUTANTS.map(({ rule, file, from, to }) => ({
    rule,
    file,
    from,
    places: from === to ? 0 : textOf(file).split(from).length - 1,
  })).filter(({ places }) => places !== 1);
  expect(misfits, 'give the table the present text of the code').toEqual([]);
});

it('every bug has a test to notice it', () => {
  const missing = MUTANTS.filter(
    ({ test, title = '' }) => !TEST_FILES.includes(test) || !textOf(test).includes(title),
  );
  expect(missing, 'give the table the present name of the test').toEqual([]);
});

it('every promise of the guarantees has a bug that breaks it, and each belongs to a promise', () => {
  const named = MUTANTS.flatMap(({ promise }) => promise ?? []);
  expect(named.filter((promise) => !PROMISES.includes(promise))).toEqual([]);
  expect(PROMISES.filter((promise) => !named.includes(promise))).toEqual([]);
});

it('every rule is a sentence of its own', () => {
  const rules = MUTANTS.map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules.filter((rule) => !/^[A-Z].*\.$/.test(rule))).toEqual([]);
});
