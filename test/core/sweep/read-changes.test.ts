import { describe, expect, it, test } from 'vitest';
import { diffKeys } from '../../../src/core/domain/diff.js';
import type { SyncError } from '../../../src/core/domain/errors.js';
import { createGroupTally } from '../../../src/core/domain/issue-group.js';
import type { KnownPayloads } from '../../../src/core/ledger/ledger.js';
import { warningsOf } from '../../../src/core/sweep/change-tally.js';
import { withQueryNamed } from '../../../src/core/sweep/examine-row.js';
import {
  compareBuckets,
  findUnequalBuckets,
  sameDigest,
  vanishedFinding,
} from '../../../src/core/sweep/read-changes.js';
import { configured } from '../push/push-fixture.js';

describe('find unequal buckets', () => {
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
});

describe('unequal buckets', () => {
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
});

describe('vanished finding', () => {
  const TODAY = '2026-03-10';
  const CLOSING = { ...configured('vacancies'), onVanished: 'close' as const };

  /** A vacancy that was accepted, with this last day. */
  function known(lastDay: string | null): KnownPayloads {
    const payload = { title: 'Welder', ...(lastDay === null ? {} : { expire_at: lastDay }) };
    return {
      desired: payload,
      acknowledged: payload,
      deleted: false,
      parentPlatformId: null,
      acknowledgedParentPlatformId: null,
    };
  }

  test.each([
    ['before its last day', '2026-03-11', 'closed'],
    ['on its last day, which is not over', TODAY, 'closed'],
    ['after its last day, so the platform has ended it', '2026-03-09', null],
    ['without a last day', null, 'closed'],
  ])('a vacancy that vanishes %s', (_name, lastDay, status) => {
    const finding = vanishedFinding(CLOSING, { key: 'v' }, known(lastDay), TODAY);
    expect(finding.expired ?? false).toBe(status === null);
    expect(finding.desiredPayload?.status ?? null).toBe(status);
    expect(finding.desiredHash === null).toBe(status === null);
  });

  test('a record without any payload has nothing to close', () => {
    const { expired, desiredHash } = vanishedFinding(CLOSING, { key: 'v' }, null, TODAY);
    expect({ expired, desiredHash }).toEqual({ desiredHash: null });
  });
});

describe('change tally', () => {
  it('counts warnings by field and kind, and shows of the first one the record', () => {
    const doubts = createGroupTally('vacancies');
    const rounded = {
      field: 'quota',
      code: 'doubtful' as const,
      message: 'is rounded',
      value: '2.5',
      hint: 'round()',
    };
    const negative = { field: 'quota', code: 'doubtful' as const, message: 'is negative', value: '-1' };
    for (const [name, warnings] of [
      ['v1', [rounded]],
      ['v2', [rounded, negative]],
    ] as const)
      doubts.add('doubtful', name, warnings);
    expect(warningsOf(doubts)).toEqual([
      { field: 'quota', code: 'doubtful', hint: 'round()', count: 2, sample: 'v1: quota is rounded' },
      { field: 'quota', code: 'doubtful', hint: undefined, count: 1, sample: 'v2: quota is negative' },
    ]);
  });

  it('keeps a bounded number of kinds, and counts all others together, also when each row has a kind of its own', () => {
    const doubts = createGroupTally('vacancies');
    const rows = 20_000;
    for (let row = 0; row < rows; row += 1) {
      const own = {
        field: 'quota',
        code: 'doubtful' as const,
        message: `is ${row}, and hardly anybody means that`,
      };
      doubts.add('doubtful', `v${row}`, [own]);
    }
    const kinds = warningsOf(doubts);
    expect(kinds).toHaveLength(101);
    expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(rows);
    expect(kinds.at(-1)).toEqual({
      field: 'further kinds',
      code: 'doubtful',
      count: rows - 100,
      sample: 'v100: quota is 100, and hardly anybody means that',
    });
    // A kind that is known already is still counted as that.
    expect(kinds[0]).toMatchObject({ field: 'quota', count: 1 });
  });
});

describe('name query', () => {
  async function errorOf(source: readonly string[], ledger: readonly string[] = []): Promise<unknown> {
    const pages = async function* (keys: readonly string[]) {
      yield await Promise.resolve(keys.map((key) => ({ key, rowVersion: null, vanished: false })));
    };
    try {
      for await (const page of diffKeys(pages(source), pages(ledger))) void page;
    } catch (error) {
      return withQueryNamed(error, { file: '/etc/queries/companies.sql' });
    }
    return null;
  }

  it('names file and column of a key that the query returns twice', async () => {
    const error = (await errorOf(['a', 'a'])) as SyncError;
    expect(error.message).toBe(
      '/etc/queries/companies.sql: the query returns the key "a" more than once (column key).',
    );
    expect(error).toMatchObject({
      code: 'duplicate-key',
      scope: 'entity',
      details: { key: 'a', file: '/etc/queries/companies.sql' },
      hint: expect.stringContaining('join') as string,
    });
  });

  it('blames no query for the order of the ledger', async () => {
    expect(((await errorOf([], ['b', 'a'])) as SyncError).message).not.toContain('companies.sql');
  });
});
