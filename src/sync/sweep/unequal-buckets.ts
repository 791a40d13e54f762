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
  /** How many keys these have, on the side that has more of them. */
  readonly unequalCount: number;
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
  let unequalCount = 0;
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
      unequalCount += Math.max(ours?.count ?? 0, theirs?.count ?? 0);
    }
  }
  return { unequal: unequal.sort((a, b) => a - b), unequalCount, equalCount, equalInvalid };
}
