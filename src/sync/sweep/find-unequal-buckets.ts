import type { LedgerDigest } from '../../ports/ledger.js';
import type { Digest } from '../../ports/source.js';
import { compareBuckets, type BucketComparison } from './unequal-buckets.js';

/** Few enough to group by: of a million records, four times as many took half as long again. */
const USUAL_BUCKETS = 16_384;

/** For many changes in very many records: then fewer keys are worth more than the groups. */
const MOST_BUCKETS = 65_536;

/** From this share of the records on, the keys to fetch cost more than to group both sides once more. */
const MANY_KEYS = 1 / 8;

type BothSides = readonly [source: ReadonlyMap<number, Digest>, ledger: ReadonlyMap<number, LedgerDigest>];

/**
 * The buckets in which two sides of `records` records differ, and of how many buckets they are. `read` gives the digests
 * of both sides for a number of buckets, a power of two.
 */
export async function findUnequalBuckets(
  records: number,
  read: (count: number) => Promise<BothSides>,
): Promise<BucketComparison & { readonly count: number }> {
  const usual = bucketCount(records, USUAL_BUCKETS);
  const compared = compareBuckets(...(await read(usual)));
  const finer = bucketCount(records, MOST_BUCKETS);
  if (finer === usual || compared.unequalCount < records * MANY_KEYS) return { ...compared, count: usual };
  return { ...compareBuckets(...(await read(finer))), count: finer };
}

/** About 16 records a bucket: few keys to fetch for one change. */
function bucketCount(records: number, most: number): number {
  const atLeast = Math.max(1, Math.min(most, records / 16));
  return 2 ** Math.ceil(Math.log2(atLeast));
}
