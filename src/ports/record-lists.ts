import type { EntityName } from '../domain/entity-name.js';
import type { Issue } from '../domain/issue.js';
import type { RecordStatus } from '../domain/record-status.js';

/** A record as lists show it: no row and no payload. */
export interface ListedRecord {
  /** Of `recordName`. */
  readonly key: string;
  readonly status: RecordStatus;
  /** What is wrong with its row; empty: nothing. */
  readonly issues: readonly Issue[];
  readonly lastError: string | null;
  readonly lastStatusCode: number | null;
  readonly attemptedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  /** Of a child: its parent's key; null when the ledger does not have it. */
  readonly parentKey: string | null;
}

/** One reason that several records share. */
export interface Reason {
  /** Of an issue; null: the platform's words, which name the fields themselves. */
  readonly field: string | null;
  readonly code: Issue['code'];
  /** Without what belongs to one record, where the records differ in that. */
  readonly message: string;
  readonly hint: string | null;
  /** Records that have it. */
  readonly count: number;
  /** The first of them, as `recordName` has it. */
  readonly sampleKeys: readonly string[];
}

/** Why records are invalid. */
export interface InvalidReasons {
  /** A code that no lookup knows, or that has no id: to be fixed in the lookup. */
  readonly codes: readonly Reason[];
  /** Everything else: to be fixed in the source or the query. */
  readonly others: readonly Reason[];
  /** Records of which nothing but codes is wrong. */
  readonly onlyCodes: number;
}

/** Records by status, for people who look through them. */
export interface RecordLists {
  /** A page in the order of `key COLLATE "C"`, of keys after that of the record named `after`; null: from the first. */
  page(
    entity: EntityName,
    status: RecordStatus,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly ListedRecord[]>;
  /** The most frequent first, at most `limit` of codes and of others; of the first 20,000 invalid records. */
  invalidReasons(entity: EntityName, limit: number): Promise<InvalidReasons>;
  /** Why the platform refused records, the most frequent first; of the first 20,000 rejected ones. */
  rejectedReasons(entity: EntityName, limit: number): Promise<readonly Reason[]>;
}
