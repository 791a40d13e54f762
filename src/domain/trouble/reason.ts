import type { Issue } from '../issue.js';
import type { Follow } from '../issue-group/issue-group.js';
import type { ParentProblem } from '../issue-group/parent-cause.js';

/** One reason that several records share. */
export interface Reason {
  /** Of an issue; null: the message is the platform's and names the fields itself. */
  readonly field: string | null;
  readonly code: Issue['code'];
  /** Without the parts in which the records differ. */
  readonly message: string;
  readonly hint: string | null;
  /** Records that have it. */
  readonly count: number;
  /** The first of them, as `recordName` has it. */
  readonly sampleKeys: readonly string[];
  /** Children that wait for these records. Absent: none. */
  readonly follows?: readonly Follow[];
}

/** Why records are invalid. */
export interface InvalidReasons {
  /** A code that no lookup knows, or that has no id: to be fixed in the lookup. */
  readonly codes: readonly Reason[];
  /** Everything else: to be fixed in the source or the query. */
  readonly others: readonly Reason[];
  /** Records with no other issue. */
  readonly onlyCodes: number;
  /** How many reasons there are of each, listed or not. Absent: those that are listed. */
  readonly found?: { readonly codes: number; readonly others: number };
}

/** Why records wait for a parent that does not come. */
export interface WaitingReason {
  readonly problem: ParentProblem;
  readonly count: number;
  /** The first of them, as `recordName` has it. */
  readonly sampleKeys: readonly string[];
}

/** A record that waits for a parent that does not come. */
export interface BlockedRecord {
  /** Of `recordName`. */
  readonly key: string;
  /** Null: the ledger does not have the parent. */
  readonly parentKey: string | null;
}

/** What is known about the deferred records of an entity. */
export interface Deferral {
  /** Since when the platform lacks the oldest of them. */
  readonly since: Date | null;
  /** Status and message of the latest failed attempt; status null: there was no reply. */
  readonly statusCode: number | null;
  readonly error: string | null;
}

/** Why records of an entity need your action. */
export interface RecordReasons {
  readonly rejected: readonly Reason[];
  readonly invalid: InvalidReasons;
  readonly blocked: readonly BlockedRecord[];
  /** Absent: not read. */
  readonly waiting?: readonly WaitingReason[];
}
