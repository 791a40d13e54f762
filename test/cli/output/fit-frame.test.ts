import { expect, test } from 'vitest';
import { fitFrame } from '../../../src/cli/watch.js';

test.each([
  ['a\nb\n', 3, 'a\nb\n'],
  ['a\nb\nc\n', 3, 'a\n… 2 more lines need a taller window.\n'],
  ['a\nb\nc\n', undefined, 'a\nb\nc\n'],
  ['a\nb\nc\n', 0, 'a\nb\nc\n'],
])('%j on a screen of %s rows is %j', (text, rows, shown) => {
  expect(fitFrame(text, rows)).toBe(shown);
});
