import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/names.js';
import type { Row } from '../domain/row.js';
import type { SourceSight } from '../domain/source-sight.js';

/** The partner's query of one entity, and the columns it may return. */
export interface EntityQuery {
  readonly entity: EntityName;
  readonly sql: string;
  /** Path of the file it came from, for messages. */
  readonly file: string;
  /** `typed`: numbers and booleans keep their type in the row; they are not text. */
  readonly columns: readonly {
    readonly name: string;
    readonly required?: true;
    readonly typed?: true;
    /** What to write into the configuration when the query cannot return this required column. */
    readonly wayOut?: string;
  }[];
  /** Columns of a version before, and what to write in their place, as a sentence. */
  readonly gone?: { readonly columns: readonly string[]; readonly instead: string } | undefined;
}

/**
 * Count and two 64-bit sums over `hashtextextended(key ‖ version, seed)` of some records. The sums
 * are decimal text, because they exceed what a number can hold.
 */
export interface Digest {
  readonly count: number;
  readonly sum0: string;
  readonly sum1: string;
  /** Records whose version is null: they are read every time. Always 0 on the ledger's side. */
  readonly unversioned: number;
}

export interface KeyVersion {
  readonly key: string;
  /** md5 of the row, or the query's own `row_version`; null: read every time. */
  readonly rowVersion: string | null;
}

export interface SourceRow extends KeyVersion {
  readonly row: Row;
}

/** A part of the keys: those whose `hashtextextended(key, 0) & (count - 1)` is one of `numbers`. */
export interface Buckets {
  /** A power of two. */
  readonly count: number;
  readonly numbers: readonly number[];
}

/** One entity, seen through one REPEATABLE READ READ ONLY transaction: all methods see the same moment. */
export interface SourceReader {
  /** Columns that the query has, in its order. */
  readonly columns: readonly string[];
  /** Which source this is, and how far it is behind. What the server does not show is null. */
  sight(): Promise<SourceSight>;
  /** Over all records. A null key ends the entity (`null-key`). */
  digest(): Promise<Digest>;
  /** Per bucket; a bucket without records is missing. After `digest`, which refuses keys that no record can have. */
  bucketDigests(count: number): Promise<ReadonlyMap<number, Digest>>;
  /** Pages in strictly the order of `key COLLATE "C"` (a duplicate comes as two equal keys); null = all. */
  versions(buckets: Buckets | null): AsyncIterable<readonly KeyVersion[]>;
  /** The rows of these keys (at most 100,000), in any order, in one statement. */
  rows(keys: readonly string[]): AsyncIterable<readonly SourceRow[]>;
  /** Every row, in the order of `versions`. */
  allRows(): AsyncIterable<readonly SourceRow[]>;
}

/** The partner's database. Reads only. */
export interface Source {
  /**
   * Checks the query's columns, then hands a reader to `use`; the transaction ends when `use` does.
   * Errors: SyncError of scope `entity` (`query-failed`, `column-contract`, `null-key`, `row-security`) or `run`
   * (`source-unavailable`). `details.recoveryConflict` is true when a replica cancelled the read and a second
   * try is worth it. When `signal` aborts, the running statement is cancelled, and the reading ends within about a
   * second with `interrupted`, of scope `run`; a read that waits for a connection ends at once. If the number of
   * waiting reads is limited, one too many is `source-unavailable` with `details.busy`.
   */
  read<T>(query: EntityQuery, use: (reader: SourceReader) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Ends running reads as if their signal had aborted, and refuses later reads; waits two seconds at most. */
  close(): Promise<void>;
}

/**
 * Reads once more when a replica cancelled the first read to replay changes; a second try usually works. `undo` runs
 * between the two.
 */
export async function againAfterConflict<T>(
  read: () => Promise<T>,
  undo: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SyncError) || error.details.recoveryConflict !== true) throw error;
    await undo();
    return await read();
  }
}

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
