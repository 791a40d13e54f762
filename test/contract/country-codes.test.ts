import { expect, test } from 'vitest';
import { COUNTRY_CODES } from '../../src/contract/doubts.js';

/** Regions that Unicode names and ISO 3166-1 does not assign. */
const NO_COUNTRIES = [
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'XK',
  'ZZ',
];

test('are the regions that Unicode names, without those that are no countries and former codes', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const named = letters
    .flatMap((first) => letters.map((second) => first + second))
    // A former code is shown under the code that took its place.
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
    .filter((code) => names.of(code) !== undefined && !NO_COUNTRIES.includes(code));
  expect([...COUNTRY_CODES].sort()).toEqual(named);
  expect(COUNTRY_CODES.size).toBe(249);
});
