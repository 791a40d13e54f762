import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, hashPayload } from '../../../src/domain/payload.js';

/** Any UTF-16, half surrogate pairs too. */
const text = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

test('equal payloads have equal hashes, whatever the order of their keys, and others have others', () => {
  const members = fc.uniqueArray(fc.tuple(text, fc.jsonValue({ stringUnit: 'binary' })), {
    selector: ([key]) => key,
    maxLength: 4,
  });
  fc.assert(
    fc.property(members, members, (one, other) => {
      const build = (pairs: typeof one) => JSON.parse(JSON.stringify(Object.fromEntries(pairs))) as never;
      const hash = hashPayload(build(one));
      expect(hashPayload(build([...one].reverse()))).toBe(hash);
      const same = canonicalJson(build(one)) === canonicalJson(build(other));
      expect(hashPayload(build(other)) === hash).toBe(same);
    }),
    { numRuns: 100 },
  );
});

test('any text is written so that it reads back the same, half surrogate pairs too', () => {
  fc.assert(
    fc.property(text, text, (key, value) => {
      const written = canonicalJson({ [key]: value });
      const entries = Object.entries(JSON.parse(written) as object);
      // A literal with __proto__ as a computed name has it as a name of its own.
      expect(entries).toEqual([[key, value]]);
      expect(Buffer.from(written).toString(), 'bytes that are sent hold no replacement').toBe(written);
    }),
    { numRuns: 300 },
  );
});

test('a number is written as it reads back, and no two ways', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const written = canonicalJson(number);
      expect(Number(written)).toBe(number === 0 ? 0 : number);
      expect(canonicalJson(JSON.parse(written))).toBe(written);
    }),
    { numRuns: 300 },
  );
  expect([-0, 1e21, 1e-7, 123456789012345680000].map(canonicalJson)).toEqual([
    '0',
    '1e+21',
    '1e-7',
    '123456789012345680000',
  ]);
  for (const none of [NaN, Infinity, -Infinity]) expect(() => canonicalJson({ a: none })).toThrow(/^\$\.a /);
});
