import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../../src/domain/key.js';

test('orders text as its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('puts full-width letters before emoji, as Postgres does and UTF-16 does not', () => {
  expect(compareUtf8('\uFF21', '\u{1F600}')).toBeLessThan(0);
  expect('\uFF21' < '\u{1F600}').toBe(false);
});
