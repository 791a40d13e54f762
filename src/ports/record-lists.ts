import type { EntityName } from '../domain/entity-name.js';
import type { Issue } from '../domain/issue.js';
import type { RecordStatus } from '../domain/record-status.js';

/** A record as lists show it: no row and no payload. */
export interface ListedRecord {
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

/** Codes of one field that no lookup knows, or that have no id yet. */
export interface UnmappedCode {
  readonly field: string;
  readonly code: 'unmapped' | 'undecided';
  readonly message: string;
  readonly hint: string | null;
  /** Records that have it. */
  readonly count: number;
  readonly sampleKey: string;
}

/** Records by status, for people who look through them. */
export interface RecordLists {
  /** A page in the order of `key COLLATE "C"`, of keys after `after`; null: from the first. */
  page(
    entity: EntityName,
    status: RecordStatus,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly ListedRecord[]>;
  /** The most frequent first, at most `limit`; of the first 20,000 invalid records. */
  unmapped(entity: EntityName, limit: number): Promise<readonly UnmappedCode[]>;
}
