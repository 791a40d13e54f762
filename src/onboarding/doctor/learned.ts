import type { Verdict } from './finding.js';
import { undone } from './finding.js';

/** A fact, or why it is not known. A fact that cannot be read never ends the reading of the others. */
export type Learned<T> =
  { readonly value: T } | { readonly cause: string; readonly hint?: string | undefined };

export function unknown(
  cause: string,
  hint?: string,
): { readonly cause: string; readonly hint?: string | undefined } {
  return { cause, hint };
}

/** The verdicts on a fact; a fact that is not known makes the check undone. Pure. */
export function judged<T>(fact: Learned<T>, judge: (value: T) => readonly Verdict[]): readonly Verdict[] {
  return 'value' in fact ? judge(fact.value) : [undone(fact.cause)];
}
