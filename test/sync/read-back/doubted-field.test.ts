import { expect, test } from 'vitest';
import { isDoubted } from '../../../src/sync/read-back/doubted-field.js';

test.each([
  ['one record with nothing in it', { compared: 1, drifted: 1, empty: 1 }, false],
  ['two of two with nothing in them', { compared: 2, drifted: 2, empty: 2 }, true],
  ['two of two with another value', { compared: 2, drifted: 2, empty: 0 }, false],
  ['one of three', { compared: 3, drifted: 1, empty: 1 }, false],
  ['two of three', { compared: 3, drifted: 2, empty: 0 }, true],
  ['half of four', { compared: 4, drifted: 2, empty: 2 }, false],
  ['none', { compared: 0, drifted: 0, empty: 0 }, false],
])('a field that differs in %s is doubted: %j → %s', (_, counts, doubted) => {
  expect(isDoubted(counts)).toBe(doubted);
});

test('after the ledger went back in time many records may differ in one field; not that nothing is shown in it', () => {
  expect(isDoubted({ compared: 9, drifted: 8, empty: 0 }, true)).toBe(false);
  expect(isDoubted({ compared: 9, drifted: 9, empty: 9 }, true)).toBe(true);
});
