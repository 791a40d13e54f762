import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson, hashPayload } from '../../../../src/core/domain/payload.js';
import type { JsonObject, JsonValue } from '../../../../src/core/domain/row.js';

/** The same value with the keys of every object in reverse. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => reversed(each));
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const [key, each] of Object.entries(value as JsonObject).reverse()) copy[key] = reversed(each);
  return copy;
}

describe('canonical JSON', () => {
  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value as JsonValue))).toBe(canonicalJson(value as JsonValue));
      }),
    );
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value as JsonValue))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}') as JsonValue)).toBe(
      '{"__proto__":{"a":2},"b":1}',
    );
  });

  test.each([Number.NaN, Infinity, 1n, undefined, () => 1])('refuses %s and says where it is', (value) => {
    expect(() => canonicalJson({ a: [{ b: value as never }] })).toThrow(/a.*0.*b/);
  });
});

describe('canonical JSON of what is no JSON', () => {
  test.each([
    ['an undefined element', [1, undefined]],
    ['a sparse array', [1, , 3]],
    ['a date', new Date(0)],
    ['a map', new Map([['a', 1]])],
    ['a symbol', Symbol('a')],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalJson({ list: value })).toThrow(/^\$\.list/);
  });

  test('sorts keys that look like numbers as text, and writes numbers one way', () => {
    expect(canonicalJson({ b: 1.0, 10: -0, 9: 1e3, '': null })).toBe('{"":null,"10":0,"9":1000,"b":1}');
  });
});

describe('the payload hash', () => {
  test('is v1 and the SHA-256 of the canonical JSON', () => {
    const expected = createHash('sha256').update('{"a":"x","b":1}').digest('hex');
    expect(hashPayload({ b: 1, a: 'x' })).toBe(`v1:${expected}`);
  });

  test('covers the platform id of the parent, and nothing else of it', () => {
    const one = hashPayload({ title: 'x' }, { field: 'employer', platformId: 'p1' });
    expect(one).toBe(hashPayload({ title: 'x' }, { field: 'employer', platformId: 'p1' }));
    expect(one).not.toBe(hashPayload({ title: 'x' }, { field: 'employer', platformId: 'p2' }));
    expect(one).not.toBe(hashPayload({ title: 'x' }));
  });
});

describe('canonical laws', () => {
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
    for (const none of [NaN, Infinity, -Infinity])
      expect(() => canonicalJson({ a: none })).toThrow(/^\$\.a /);
  });
});
