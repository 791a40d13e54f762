/**
 * SQL that source and ledger must compute in exactly the same way, so that equal records give equal sums.
 * `key` and `version` are SQL expressions of type text. Names are qualified: at the source the search path is the
 * partner's, and one of its schemas may hold an object of the same name.
 */
export function digestColumns(key: string, version: string): string {
  const record = `${key} OPERATOR(pg_catalog.||) E'\\x1f' OPERATOR(pg_catalog.||) ${version}`;
  const sum = (seed: number) =>
    `cast(coalesce(pg_catalog.sum(pg_catalog.hashtextextended(${record}, ${seed})), 0) as pg_catalog.text)`;
  return `pg_catalog.count(*) as count, ${sum(0)} as sum0, ${sum(1)} as sum1`;
}

/** SQL: the number of the bucket that a key belongs to; `count` is a power of two. */
export function bucketOf(key: string, count: number): string {
  return `(pg_catalog.hashtextextended(${key}, 0) OPERATOR(pg_catalog.&) ${count - 1})`;
}
