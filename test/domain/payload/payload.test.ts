import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/domain/row.js';
import { canonicalJson, hashPayload } from '../../../src/domain/payload.js';

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
