import { expect, test } from 'vitest';
import { diffLine } from '../../../src/cli/output/print-plan.js';

const change = (from: string | null, to: string | null) => ({ field: 'about', from, to });

test('a new record does not show fields that are null', () => {
  expect(diffLine(change(null, null), true, 80)).toBeNull();
  expect(diffLine(change(null, 'x'), true, 80)).toBe('             about: nothing → "x"');
});

test('a field that was left out and is null now is not shown as nothing → nothing', () => {
  expect(diffLine(change(null, null), false, 80)).toBe(
    '             about: empty before and after (left out, or sent as null)',
  );
});

test.each([
  ['a'.repeat(200), 'b'.repeat(200)],
  ['short', 'b'.repeat(200)],
  ['a'.repeat(200), 'short'],
])(
  'values are cut to the width of the terminal, and a short one leaves its room to the other',
  (from, to) => {
    for (const width of [60, 80, 133]) {
      const line = diffLine(change(from, to), false, width) ?? '';
      expect(line.length).toBeGreaterThanOrEqual(width - 1);
      expect(line.length).toBeLessThanOrEqual(width);
      if (from === 'short') expect(line).toContain('"short" →');
      if (to === 'short') expect(line).toMatch(/→ "short"$/);
    }
  },
);

test('a terminal that is too narrow still shows the beginning of both, and a pipe more', () => {
  expect(diffLine(change('a'.repeat(99), 'b'.repeat(99)), false, 10)).toMatch(/"aaaaaa… → "bbbbbb…$/);
  expect(diffLine(change('a'.repeat(99), null), false, undefined)).toBe(
    `             about: "${'a'.repeat(58)}… → nothing`,
  );
});
