import type { EntityName, RecordStatus } from '../domain/names.js';
import type { Issue } from '../domain/issue.js';
import type { InvalidReasons, Reason, WaitingReason } from '../domain/reason.js';

/** A record as lists show it: no row and no payload. */
export interface ListedRecord {
  /** Of `recordName`. */
  readonly key: string;
  /** What names it for people, from the desired payload or else the acknowledged one; null: nothing does. */
  readonly title: string | null;
  readonly status: RecordStatus;
  /** The errors of its row; empty: none. */
  readonly issues: readonly Issue[];
  readonly lastError: string | null;
  readonly lastStatusCode: number | null;
  readonly attemptedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  /** Of a child: its parent's key; null when the ledger does not have it. */
  readonly parentKey: string | null;
  /** The last day, `YYYY-MM-DD`, of one that vanished when it was over; null: not so. */
  readonly expiredOn: string | null;
}

/** A place in a list: that of one record. */
export interface ListPosition {
  /** Of `recordName`. */
  readonly key: string;
  /** Its last attempt, microseconds since the Unix epoch; null: never. */
  readonly attemptedUs: number | null;
}

/** Which records, in which order. */
export interface RecordSelection {
  /** Null: any. */
  readonly status: RecordStatus | null;
  /** Part of key or title, whatever its case; null: any. */
  readonly search: string | null;
  /** Part of what the platform answered or of an error of the row, whatever its case; null: any. */
  readonly reason: string | null;
  /** By key, numbers in it by their value, or by last attempt. */
  readonly sort: 'key' | 'attempt';
  readonly descending: boolean;
}

export interface RecordPage {
  readonly records: readonly ListedRecord[];
  /** Where the list goes on; null: this is its end. A page may be short, or empty, before the end. */
  readonly next: ListPosition | null;
}

export interface RecordCount {
  readonly value: number;
  /** There are more than that, or there may be: not all were looked at. */
  readonly more: boolean;
}

/** Records, for people who look through them. */
export interface RecordLists {
  /**
   * The records after that position, at most `limit`; null: from the first. It looks at a bounded number of records, so
   * a search for what is rare takes several pages.
   */
  page(
    entity: EntityName,
    selection: RecordSelection,
    options: { readonly after: ListPosition | null; readonly limit: number },
  ): Promise<RecordPage>;
  /** How many records have that status; counts up to `most`, and among a bounded number of records. */
  count(entity: EntityName, status: RecordStatus | null, most: number): Promise<RecordCount>;
  /**
   * Why records are invalid, with the children that wait for them; the largest effect first, at most `limit` of codes and
   * of others; of the first 20,000.
   */
  invalidReasons(entity: EntityName, limit: number): Promise<InvalidReasons>;
  /** Why records are rejected, the most frequent first; of the first 20,000. */
  rejectedReasons(entity: EntityName, limit: number): Promise<readonly Reason[]>;
  /** Why records wait for a parent that does not come, the most frequent first. */
  waitingReasons(entity: EntityName): Promise<readonly WaitingReason[]>;
}
