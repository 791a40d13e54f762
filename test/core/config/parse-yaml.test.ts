import { expect, it } from 'vitest';
import { locate } from '../../../src/core/config/config-refusal.js';
import { parseYaml } from '../../../src/core/config/parse-yaml.js';

it.each([
  ['a:\n\tb: 1', 2, 'a tab is used for indentation; use spaces'],
  ['a: 1\nb: c: d', 2, 'text with ": " in it needs quotes'],
  ['a: 1\nb: @x', 2, 'put the value in quotes'],
  ['a: 1\nb: [${X}]', 2, 'inside [ ] and { }, put "${NAME}" in quotes'],
  ['a: 1\nb: { c: ${X} }', 2, 'inside [ ] and { }, put "${NAME}" in quotes'],
  ['a: 1\n---\nb: 1', 2, 'a second document begins'],
  ['', 1, 'the configuration is empty'],
  ['# only a comment\n', 1, 'the configuration is empty'],
  ['---\n', 1, 'the configuration is empty'],
  ['~', 1, 'the configuration is empty'],
  ['a: 1\nb: "x\nc: 2\nd: 3', 2, 'a quote that begins here is not closed'],
  ['a: "S3\\cret"', 1, 'has a backslash with no meaning'],
  ['%YAML 2\n---\na: 1', 1, 'this is not YAML as the worker reads it (BAD_DIRECTIVE)'],
  ['a:\n  b: [x\n  c: 1\nd: 2\ne: [y', 3, 'the slip may be on the line before'],
])('says of %j in which line what is wrong', (text, line, message) => {
  const { data, problems } = parseYaml(text);
  expect(data).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ line, message: expect.stringContaining(message) as string });
});

it.each([
  ['*S3cretAlias', 'a value that begins with * needs quotes'],
  ['!S3cretTag', 'a value that begins with "!" needs quotes'],
  ['!S3cretTag more', 'a value that begins with "!" needs quotes'],
  ['!!binary S3cret', 'a value that begins with "!" needs quotes'],
  ['&S3cret more', 'a value that begins with & needs quotes'],
])('says of %s where it is and what it needs, and still gives the rest', (value, message) => {
  const { data, problems } = parseYaml(`a: 1\nb:\n  - c: ${value}\n    d: 2`);
  expect(problems).toMatchObject([{ path: ['b', 0, 'c'], line: 3, message }]);
  expect(data).toEqual({ a: 1, b: [{ c: null, d: 2 }] });
});

it.each(['|S3cret', '"S3cret"x', '[S3cret', '{S3cret', '@S3cret', '& S3cret', 'S3cret: x', '"S3cret'])(
  'never repeats what is written, such as %s',
  (value) => {
    const { problems } = parseYaml(`a: 1\nb: ${value}\nc: 2\nd: 3`);
    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain('S3cret');
  },
);

it('refuses an alias inside of what it repeats', () => {
  const { data, problems } = parseYaml('a: &x\n  b: [*x]');
  expect(problems).toMatchObject([{ path: ['a', 'b', 0], line: 2 }]);
  expect(data).toEqual({ a: { b: [null] } });
});

it('keeps what YAML may say about values: anchors with their aliases, and text by tag', () => {
  expect(parseYaml('a: &x 1\nb: *x\nc: !!str 5')).toMatchObject({
    data: { a: 1, b: 1, c: '5' },
    problems: [],
  });
});

it('names a key that is set twice, and still gives the data', () => {
  const { data, problems } = parseYaml('a:\n  baseUrl: 1\n  "baseUrl": 2\nc: 3');
  expect(problems).toEqual([
    { path: [], line: 3, column: 3, message: '"baseUrl" is set twice in the same place' },
  ]);
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

// Each of them held the parser for more than a minute, or ended it.
it.each([
  ['brackets in brackets', '['.repeat(500_000), 1, 'is nested deeper than 100 levels'],
  ['blocks in brackets', `a: ${'{a: '.repeat(200_000)}`, 1, 'is nested deeper than 100 levels'],
  ['lists of lists', `a: 1\nb:\n ${'- '.repeat(400_000)}`, 3, 'is nested deeper than 100 levels'],
  [
    'blocks in blocks',
    Array.from({ length: 1_400 }, (_, deep) => `${' '.repeat(deep)}a:`).join('\n'),
    202,
    'is nested deeper than 100 levels',
  ],
  ['aliases', `a: &a 1\nb: [${'*a, '.repeat(200_000)}]`, 2, 'has more than 500 aliases (*)'],
  [
    'keys',
    Array.from({ length: 100_000 }, (_, key) => `k${key}: 1`).join('\n'),
    2_858,
    'has more than 20000 keys, values and signs',
  ],
])('refuses what nobody can mean before the parser has it: %s', (_, text, line, message) => {
  const { data, document, problems } = parseYaml(text);
  expect(data).toBeNull();
  expect(document.errors).toHaveLength(1);
  expect(problems).toEqual([{ path: [], line, message: `${message}; no configuration needs that` }]);
});

it('takes a whole file in one line, as programs write it', () => {
  const data = {
    a: Object.fromEntries(Array.from({ length: 300 }, (_, key) => [`k${key}`, [key, { b: key }]])),
  };
  expect(parseYaml(JSON.stringify(data))).toMatchObject({ data, problems: [] });
});

it('explains as many errors as a person reads', () => {
  const { problems } = parseYaml(`a: 1\n${'a: 2\n'.repeat(2_000)}`);
  expect(problems).toHaveLength(100);
});
