import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { recordName, withoutAddressDigests } from '../../../src/entities/index.js';

const DIGEST = createHash('md5').update('siti@example.org').digest('hex');
const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

it.each([
  ['application-statuses', `v1:${DIGEST}`, ID, ID],
  ['application-statuses', `a:b:${DIGEST}`, null, 'a:b:…'],
  ['application-statuses', ID.toUpperCase(), ID, ID.toUpperCase()],
  ['application-statuses', '4711', ID, '4711'],
  ['companies', `v1:${DIGEST}`, ID, `v1:${DIGEST}`],
] as const)('names %s %s (platform id %s) %s', (entity, key, platformId, name) => {
  expect(recordName(entity, key, platformId)).toBe(name);
});

it('leaves every digest of an address out of a text, and nothing else', () => {
  const text = `the keys "v1:${DIGEST}" and "v2:${DIGEST}" of request ${DIGEST}`;
  expect(withoutAddressDigests('application-statuses', text)).toBe(
    `the keys "v1:…" and "v2:…" of request ${DIGEST}`,
  );
  expect(withoutAddressDigests('vacancies', text)).toBe(text);
});
