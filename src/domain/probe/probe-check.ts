import type { CheckId } from './check-id.js';
import type { ProbeSeen } from './probe-seen.js';

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
  /** Pure. */
  judge(seen: ProbeSeen): Verdict;
}

/** A check that was made. */
export interface CheckedAssumption extends Verdict, Pick<ProbeCheck, 'id' | 'assumption' | 'setting'> {}
