import { expect, test } from 'vitest';
import { compareBuckets, sameDigest } from '../../../src/sync/sweep/read-changes.js';

const EQUAL = { count: 3, sum0: '11', sum1: '22', unversioned: 0 };
const OURS = { ...EQUAL, invalid: 1 };

test.each([
  ['equal in everything', {}, true],
  ['one record more', { count: 4 }, false],
  ['another first sum', { sum0: '12' }, false],
  ['another second sum', { sum1: '23' }, false],
  // The ledger stores such a version as an empty one, so the sums may be equal.
  ['a row without version', { unversioned: 1 }, false],
])('a digest with %s', (_name, changes, same) => {
  expect(sameDigest({ ...EQUAL, ...changes }, OURS)).toBe(same);
});

test('a bucket is compared key by key when it differs, has a row without version, or is on one side only', () => {
  const source = new Map([
    [4, { ...EQUAL, unversioned: 1 }],
    [2, { ...EQUAL, sum0: '12' }],
    [1, EQUAL],
    [7, EQUAL],
    [6, EQUAL],
  ]);
  const ledger = new Map([1, 2, 3, 4, 6].map((number) => [number, OURS]));
  expect(compareBuckets(source, ledger)).toEqual({
    unequal: [2, 3, 4, 7],
    unequalCount: 12,
    equalCount: 6,
    equalInvalid: 2,
  });
});
