import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moreText, wrapText } from '../../../src/cli/output/write.js';

describe('more text', () => {
  test('a list says how many it leaves out', () => {
    expect(moreText(1_845)).toBe('… 1,845 more');
    expect(moreText(1, 'line')).toBe('… one more line');
    expect(moreText(2, 'line')).toBe('… 2 more lines');
  });
});

describe('wrap text', () => {
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
        for (const line of lines)
          if (line.length > width) expect(line.trim().split(' '), line).toHaveLength(1);
      }),
    );
  });
});
