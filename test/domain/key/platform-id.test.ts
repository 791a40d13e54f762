import { v5 } from 'uuid';
import { expect, test } from 'vitest';
import { platformId } from '../../../src/domain/key.js';

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
