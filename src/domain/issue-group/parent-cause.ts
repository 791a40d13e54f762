import type { EntityName } from '../entity-name.js';
import type { Cause } from './issue-cause.js';

/** Why a parent does not come, or not yet. */
export const PARENT_PROBLEMS = [
  'parent-absent',
  'parent-vanished',
  'parent-invalid',
  'parent-rejected',
  'parent-deferred',
  'parent-held',
  'parent-unread',
  'parent-left-out',
] as const;

export type ParentProblem = (typeof PARENT_PROBLEMS)[number];

interface Said {
  readonly message: string;
  readonly hint: string | null;
}

const TEXTS: Readonly<Record<ParentProblem, (parent: EntityName, column: string) => Said>> = {
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

/** Why children wait. `column`: the one that names the parent. Pure. */
export function parentCause(problem: ParentProblem, parent: EntityName, column: string): Cause {
  const { message, hint } = TEXTS[problem](parent, column);
  return { field: column, code: problem, message, common: message, hint };
}
