import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8, uuidText } from '../../../src/domain/key.js';

/** Both sides of every boundary at which UTF-16 and UTF-8 begin to differ, few enough to make shared prefixes likely. */
const unit = fc.constantFrom(
  'a',
  '\u007f',
  '\u0080',
  '\u07ff',
  '\u0800',
  '\ud7ff',
  '\ue000',
  '\uff21',
  '\uffff',
  '\u{10000}',
  '\u{1f600}',
  '\u{10ffff}',
);
const key = fc.string({ unit, maxLength: 4 });

test('keys of characters around the surrogates are ordered as their bytes', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2_000 },
  );
});

test('sorting with it is sorting bytes', () => {
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const bytes = keys.map((each) => Buffer.from(each)).sort((a, b) => Buffer.compare(a, b));
      expect([...keys].sort(compareUtf8)).toEqual(bytes.map(String));
    }),
  );
});

test.each([
  ['898B0B80-4ce3-4b6f-3413-f6b518e9c557', '898b0b80-4ce3-4b6f-3413-f6b518e9c557'],
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ['898b0b804ce34b6f3413f6b518e9c557', null],
  ['{898b0b80-4ce3-4b6f-3413-f6b518e9c557}', null],
  [' 898b0b80-4ce3-4b6f-3413-f6b518e9c557', null],
  ['898b0b80-4ce3-4b6f-3413-f6b518e9c557\n', null],
  ['898b0b80-4ce3-4b6f-3413-f6b518e9c55g', null],
  ['', null],
])('%j is read as the UUID %j', (text, uuid) => {
  expect(uuidText(text)).toBe(uuid);
});
