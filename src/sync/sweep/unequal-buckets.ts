import type { LedgerDigest } from '../../ports/ledger.js';
import type { Digest } from '../../ports/source.js';

/** Whether both sides hold the same keys in the same versions. A record without version is always read. */
export function sameDigest(source: Digest, ledger: Digest): boolean {
  return (
    source.unversioned === 0 &&
    source.count === ledger.count &&
    source.sum0 === ledger.sum0 &&
    source.sum1 === ledger.sum1
  );
}

export interface BucketComparison {
  /** Buckets to compare key by key. */
  readonly unequal: readonly number[];
  /** Of the equal ones: records, and how many of them are invalid. */
  readonly equalCount: number;
  readonly equalInvalid: number;
}

/** Compares the two sides bucket by bucket; a bucket that is missing on one side is empty there. */
export function compareBuckets(
  source: ReadonlyMap<number, Digest>,
  ledger: ReadonlyMap<number, LedgerDigest>,
): BucketComparison {
  const unequal: number[] = [];
  let equalCount = 0;
  let equalInvalid = 0;
  for (const number of new Set([...source.keys(), ...ledger.keys()])) {
    const ours = ledger.get(number);
    const theirs = source.get(number);
    if (theirs && ours && sameDigest(theirs, ours)) {
      equalCount += ours.count;
      equalInvalid += ours.invalid;
    } else {
      unequal.push(number);
    }
  }
  return { unequal: unequal.sort((a, b) => a - b), equalCount, equalInvalid };
}

/** About 64 records a bucket: few enough keys to fetch for one change, few enough buckets to group by. */
export function bucketCount(records: number): number {
  const atLeast = Math.max(1, Math.min(65_536, records / 64));
  return 2 ** Math.ceil(Math.log2(atLeast));
}
