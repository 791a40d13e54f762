import type { ProbeSeen } from './seen.js';

/**
 * - `confirmed`: the platform does what is assumed, or what the settings in effect bear.
 * - `differs`: it does something else; the setting of the check changes what is assumed.
 * - `unknown`: it was not tried, or the reply does not show it.
 */
export type CheckResult = 'confirmed' | 'differs' | 'unknown';

export interface Verdict {
  readonly result: CheckResult;
  /** What was seen: statuses, names and types of fields. No values of a record, no secrets. */
  readonly seen: string;
}

/** One assumption about the platform, and how the replies of a first contact decide about it. */
export interface ProbeCheck {
  readonly id: CheckId;
  readonly assumption: string;
  /** What changes the assumption. */
  readonly setting: string;

  judge(seen: ProbeSeen): Verdict;
}

/** A check that was made. */
export interface CheckedAssumption extends Verdict, Pick<ProbeCheck, 'id' | 'assumption' | 'setting'> {}

/** The checks of a first contact, in the order in which they are made. Public interface. */
export const CHECK_IDS = [
  'reachable',
  'clock',
  'wrong-signature',
  'unknown-id',
  'put-status',
  'envelope',
  'reference',
  'find-shape',
  'same-reference',
  'absent-field',
  'parent-reference',
  'request-id-reuse',
  'rate-headers',
] as const;

export type CheckId = (typeof CHECK_IDS)[number];

export function confirmed(seen: string): Verdict {
  return { result: 'confirmed', seen };
}

export function differs(seen: string): Verdict {
  return { result: 'differs', seen };
}

export function undecided(seen: string): Verdict {
  return { result: 'unknown', seen };
}

/** For a request that was not sent. */
export function notTried({ ended }: Pick<ProbeSeen, 'ended'>): Verdict {
  return undecided(ended === null ? 'not tried' : `not tried: ${ended}`);
}
