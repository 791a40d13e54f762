import { type Cause, type FollowingRecords, issueCause, type IssueGroup } from './issue-group.js';
import type { Issue } from './issue.js';
import type { EntityName } from './names.js';

/**
 * Why records are rejected, invalid, or wait for a parent, as the ledger gives it, and the same as groups.
 */

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
  readonly follows?: readonly FollowingRecords[];
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

/** How the records of an entity name their parent. */
interface Parent {
  readonly entity: EntityName;
  readonly column: string;
}

/** A reason of the ledger as a group. */
export function reasonGroup(entity: EntityName, reason: Reason): IssueGroup {
  const { field, code, message, hint, count, sampleKeys, follows = [] } = reason;
  const cause = issueCause({ field: field ?? '', code, message, hint: hint ?? undefined });
  return {
    entity,
    kind: 'invalid',
    field: field === null ? null : cause.field,
    code,
    message: cause.message,
    hint: cause.hint,
    count,
    sampleKeys,
    follows,
  };
}

/**
 * What the ledger knows of the invalid and waiting records of an entity, as groups. Children of invalid parents are in
 * the groups of these.
 */
export function reasonGroups(
  entity: EntityName,
  parent: Parent | null,
  { invalid, waiting = [] }: Pick<RecordReasons, 'invalid' | 'waiting'>,
): readonly IssueGroup[] {
  const own = [...invalid.codes, ...invalid.others].map((reason) => reasonGroup(entity, reason));
  const others = waiting.filter(({ problem }) => problem !== 'parent-invalid');
  return [...own, ...waitingGroups(entity, parent, others)];
}

/** Why records wait, as groups. */
export function waitingGroups(
  entity: EntityName,
  parent: Parent | null,
  waiting: NonNullable<RecordReasons['waiting']>,
): readonly IssueGroup[] {
  if (parent === null) return [];
  return waiting.map(({ problem, count, sampleKeys }) => {
    const { field, code, message, hint } = parentCause(problem, parent.entity, parent.column);
    return { entity, kind: 'waiting', field, code, message, hint, count, sampleKeys, follows: [] };
  });
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

type ParentText = (parent: EntityName, column: string) => Pick<Cause, 'message' | 'hint'>;

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
export function parentCause(problem: ParentProblem, parent: EntityName, column: string): Cause {
  const { message, hint } = TEXTS[problem](parent, column);
  return { field: column, code: problem, message, common: message, hint };
}
