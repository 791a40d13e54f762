/**
 * SQL that source and ledger must compute in exactly the same way, so that equal records give equal sums.
 * `key` and `version` are SQL expressions of type text.
 */
export function digestColumns(key: string, version: string): string {
  const record = `${key} || E'\\x1f' || ${version}`;
  const sum = (seed: number) => `cast(coalesce(sum(hashtextextended(${record}, ${seed})), 0) as text)`;
  return `count(*) as count, ${sum(0)} as sum0, ${sum(1)} as sum1`;
}

/** SQL: the number of the bucket that a key belongs to; `count` is a power of two. */
export function bucketOf(key: string, count: number): string {
  return `(hashtextextended(${key}, 0) & ${count - 1})`;
}
