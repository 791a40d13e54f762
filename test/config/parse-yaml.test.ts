import { expect, it } from 'vitest';
import { locate } from '../../src/config/locate.js';
import { parseYaml } from '../../src/config/parse-yaml.js';

it.each([
  ['a:\n\tb: 1', 2, 'a tab is used for indentation; use spaces'],
  ['a: 1\nb: c: d', 2, 'text with ": " in it needs quotes'],
  ['a: 1\nb: @x', 2, 'put the value in quotes'],
  ['a: 1\nb: [${X}]', 2, 'inside [ ] and { }, put "${NAME}" in quotes'],
  ['a: 1\nb: { c: ${X} }', 2, 'inside [ ] and { }, put "${NAME}" in quotes'],
  ['a: 1\n---\nb: 1', 2, 'a second document begins'],
  ['', 1, 'the configuration is empty'],
  ['# only a comment\n', 1, 'the configuration is empty'],
  ['a: *b', 1, 'Unresolved alias'],
])('says of %j in which line what is wrong', (text, line, message) => {
  const { data, problems } = parseYaml(text);
  expect(data).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ line, message: expect.stringContaining(message) as string });
});

it('names a key that is set twice, and still gives the data', () => {
  const { data, problems } = parseYaml('a:\n  baseUrl: 1\n  "baseUrl": 2\nc: 3');
  expect(problems).toEqual([{ path: [], line: 3, message: '"baseUrl" is set twice in the same place' }]);
  expect(data).toMatchObject({ c: 3 });
});

it.each([
  [['a'], 1],
  [['a', 'b'], 2],
  [['a', 'list', 1], 5],
  [['a', 'missing'], 1],
  [['a', 'list', 7], 3],
  [['absent', 'b'], 1],
  [['copy', 'b'], 2],
])('finds the line of %j', (path, line) => {
  const { document, lines } = parseYaml('a: &all\n  b: 1\n  list:\n    - x\n    - y\ncopy: *all\n');
  expect(locate(document, lines, path)).toBe(line);
});
