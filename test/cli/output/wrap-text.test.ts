import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapText } from '../../../src/cli/output/write.js';

test.each([
  ['a bb ccc', 80, 'a bb ccc'],
  ['  aaa bbb ccc', 9, '  aaa bbb\n    ccc'],
  ['short\nlonger line', 6, 'short\nlonger\n  line'],
  [
    '  key 5a4af172-1464-4d7f-b40e-a1088e678ed7 end',
    12,
    '  key\n    5a4af172-1464-4d7f-b40e-a1088e678ed7\n    end',
  ],
])('%j at %i columns', (text, width, wrapped) => {
  expect(wrapText(text, width)).toBe(wrapped);
});

test('in a pipe nothing is broken', () => {
  expect(wrapText('x '.repeat(500), undefined)).toBe('x '.repeat(500));
});

test('no word is lost or divided, and a line is too wide only for a single word', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(words, fc.integer({ min: 10, max: 60 }), (given, width) => {
      const lines = wrapText(given.join(' '), width).split('\n');
      expect(lines.flatMap((line) => line.trim().split(' '))).toEqual(given);
      for (const line of lines) if (line.length > width) expect(line.trim().split(' '), line).toHaveLength(1);
    }),
  );
});
