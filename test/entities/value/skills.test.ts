import { expect, test } from 'vitest';
import { skillElements } from '../../../src/entities/values.js';

test.each([
  ['text[]', ['b', 'a', 'b'], ['b', 'a', 'b']],
  ['an array with blanks and nulls', [' a ', '', '  ', null], ['a']],
  ['a jsonb array of numbers', [1, 2.5], ['1', '2.5']],
  ['an empty array', [], []],
  ['comma text', 'a, b,,c ', ['a', 'b', 'c']],
  ['text without a comma', 'a b', ['a b']],
  ['a comma only', ',', []],
  ['text with a bracket in it', 'C [basic], D', ['C [basic]', 'D']],
  ['a number', 7, ['7']],
])('takes %s', (_name, value, elements) => {
  expect(skillElements(value)).toEqual({ value: elements });
});

test.each([
  ['an array printed as text', '{a,b}'],
  ['a JSON array printed as text', ' ["a", "b"] '],
  ['a JSON object', { a: 1 }],
  ['a nested array', [['a']]],
  ['an array of objects', [{ name: 'a' }]],
  ['a boolean', true],
])('refuses %s rather than send its punctuation', (_name, value) => {
  expect(skillElements(value)).toMatchObject({ fault: { code: 'type' } });
});

test('refuses an element that no database could store', () => {
  expect(skillElements(['a', 'b\0'])).toMatchObject({ fault: { code: 'format' } });
});
