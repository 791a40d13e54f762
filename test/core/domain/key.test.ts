import fc from 'fast-check';
import { v5 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { compareUtf8, platformId, uuidText } from '../../../src/core/domain/key.js';

describe('boundary characters', () => {
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
});

describe('compare utf8', () => {
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
});

describe('platform id', () => {
  const NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

  test('a UUID is its own platform id, in lower case', () => {
    expect(platformId('companies', '1EDD9893-F1A3-45DD-89D4-BC4DC9A071D0', NAMESPACE)).toBe(
      '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
    );
  });

  test('any other key becomes a UUIDv5 of entity and key', () => {
    // python3 -c "import uuid; print(uuid.uuid5(uuid.NAMESPACE_DNS, 'companies:42'))"
    expect(platformId('companies', '42', NAMESPACE)).toBe('a8c2d6cc-9ba9-5973-99bc-99440460a0d5');
    expect(platformId('vacancies', '42', NAMESPACE)).not.toBe(platformId('companies', '42', NAMESPACE));
  });

  test('keys with astral characters have ids of their own', () => {
    expect(platformId('companies', '\u{1F600}', NAMESPACE)).toBe('4036ab3f-8570-5859-957a-608b1ff3d504');
  });

  test('it is the UUIDv5 of another library too, for any key', () => {
    for (const key of [
      'a',
      '0',
      'ä',
      '\u{1F600}'.repeat(40),
      'x'.repeat(500),
      ...Array.from({ length: 200 }, (_, index) => `k${index}`),
    ])
      expect(platformId('trainings', key, NAMESPACE)).toBe(v5(`trainings:${key}`, NAMESPACE));
  });
});
