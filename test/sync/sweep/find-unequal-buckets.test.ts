import { expect, test } from 'vitest';
import { findUnequalBuckets } from '../../../src/sync/sweep/read-changes.js';

const SAME = { sum0: '11', sum1: '22', unversioned: 0, invalid: 0 };

/** Both sides of so many records, spread evenly; the first buckets differ in the share of keys that `differing` gives. */
async function find(records: number, differing: (buckets: number) => number) {
  const asked: number[] = [];
  const found = await findUnequalBuckets(records, (count) => {
    asked.push(count);
    const other = count * differing(count);
    const side = (sum0: string) =>
      new Map(
        Array.from({ length: count }, (_, number) => [
          number,
          { ...SAME, count: records / count, sum0: number < other ? sum0 : SAME.sum0 },
        ]),
      );
    return Promise.resolve([side('12'), side('13')] as const);
  });
  return { asked, count: found.count, unequal: found.unequal.length, equal: found.equalCount };
}

test.each([
  [0, 1],
  [16, 1],
  [17, 2],
  [1_000, 64],
  [100_000, 8_192],
  [10_000_000, 16_384],
])('%i records are in %i buckets', async (records, count) => {
  expect((await find(records, () => 0)).asked).toEqual([count]);
});

test('where many keys would be fetched of very many, they are grouped once more, into more buckets', async () => {
  const finer = (buckets: number) => (buckets === 16_384 ? 0.5 : 1 / 64);
  expect(await find(1_048_576, finer)).toEqual({
    asked: [16_384, 65_536],
    count: 65_536,
    unequal: 1_024,
    equal: 1_048_576 - 16 * 1_024,
  });
});

test('few keys are fetched at once, and of fewer records there are no smaller buckets', async () => {
  expect((await find(1_048_576, () => 0.1)).asked).toEqual([16_384]);
  expect((await find(100_000, () => 1)).asked).toEqual([8_192]);
});
