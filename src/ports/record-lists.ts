import type { EntityName } from '../domain/entity-name.js';
import type { Issue } from '../domain/issue.js';
import type { RecordStatus } from '../domain/record-status.js';
import type { InvalidReasons, Reason } from '../domain/trouble/reason.js';

/** A record as lists show it: no row and no payload. */
export interface ListedRecord {
  /** Of `recordName`. */
  readonly key: string;
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
}

/** Records by status, for people who look through them. */
export interface RecordLists {
  /** A page in the order of `key COLLATE "C"`, of keys after that of the record named `after`; null: from the first. */
  page(
    entity: EntityName,
    status: RecordStatus,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly ListedRecord[]>;
  /** Why records are invalid, the most frequent first, at most `limit` of codes and of others; of the first 20,000. */
  invalidReasons(entity: EntityName, limit: number): Promise<InvalidReasons>;
  /** Why records are rejected, the most frequent first; of the first 20,000. */
  rejectedReasons(entity: EntityName, limit: number): Promise<readonly Reason[]>;
}
