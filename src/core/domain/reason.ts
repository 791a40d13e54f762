import type { IssueGroup, SharedIssue } from './issue-group.js';
import type { EntityName } from './names.js';

/**
 * Why records are rejected, invalid, or wait for a parent, as the ledger gives it.
 */

/** Why records are invalid. */
export interface InvalidReasons {
  /** A code that no lookup knows, or that has no id: to be fixed in the lookup. */
  readonly codes: readonly IssueGroup[];
  /** Everything else: to be fixed in the source or the query. */
  readonly others: readonly IssueGroup[];
  /** Records with no other issue. */
  readonly onlyCodes: number;
  /** How many reasons there are of each, listed or not. Absent: those that are listed. */
  readonly found?: { readonly codes: number; readonly others: number };
}

/** A record that waits for a parent that does not come. */
export interface BlockedRecord {
  readonly key: string;
  /** Null: the ledger does not have the parent. */
  readonly parentKey: string | null;
  /** Why it does not come. */
  readonly problem: LedgerParentProblem;
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
  readonly rejected: readonly IssueGroup[];
  readonly invalid: InvalidReasons;
  readonly blocked: readonly BlockedRecord[];
  /** Absent: not read. */
  readonly waiting?: readonly IssueGroup[];
}

/** Why a parent does not come, or not yet. */
export type ParentProblem =
  | 'parent-absent'
  | 'parent-vanished'
  | 'parent-invalid'
  | 'parent-rejected'
  | 'parent-deferred'
  | 'parent-held'
  | 'parent-unread'
  | 'parent-left-out';

/** Those that the ledger shows. */
export type LedgerParentProblem = Extract<
  ParentProblem,
  'parent-absent' | 'parent-vanished' | 'parent-invalid' | 'parent-rejected'
>;

type ParentText = (parent: EntityName, column: string) => Pick<SharedIssue, 'message' | 'hint'>;

const TEXTS: Readonly<Record<ParentProblem, ParentText>> = {
  'parent-absent': (parent, column) => ({
    message: `no such record in the query of ${parent}`,
    hint: `Return these ${parent} from their query, or correct ${column}.`,
  }),
  'parent-vanished': (parent) => ({
    message: `the record of ${parent} has vanished and has no reference`,
    hint: `Return these ${parent} from their query again.`,
  }),
  'parent-invalid': (parent) => ({
    message: `the record of ${parent} is invalid`,
    hint: `Correct these ${parent}.`,
  }),
  'parent-rejected': (parent) => ({
    message: `the platform rejected the record of ${parent}`,
    hint: `Correct these ${parent}; or retry them if the platform was wrong.`,
  }),
  'parent-deferred': (parent) => ({
    message: `the record of ${parent} is deferred`,
    hint: 'Nothing to do: it is tried again by itself.',
  }),
  'parent-held': (parent) => ({
    message: `${parent} are held`,
    hint: `Decide about the hold of ${parent}.`,
  }),
  'parent-unread': (parent) => ({
    message: `${parent} cannot be read`,
    hint: `Correct the query of ${parent}.`,
  }),
  'parent-left-out': (parent) => ({
    message: `${parent} are left out here, and the platform does not have these yet`,
    hint: `Include ${parent}.`,
  }),
};

/** Why children wait. `column`: the one that names the parent. */
export function parentIssue(problem: ParentProblem, parent: EntityName, column: string): SharedIssue {
  return { field: column, code: problem, ...TEXTS[problem](parent, column) };
}
