import type { Issue } from '../issue.js';

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

/** A record that waits for a parent that does not come. */
export interface BlockedRecord {
  /** Of `recordName`. */
  readonly key: string;
  /** Null: the ledger does not have the parent. */
  readonly parentKey: string | null;
}

/** Why records of an entity need a human. */
export interface RecordReasons {
  readonly rejected: readonly Reason[];
  readonly invalid: InvalidReasons;
  readonly blocked: readonly BlockedRecord[];
}
