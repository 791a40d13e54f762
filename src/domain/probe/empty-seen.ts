import type { ProbeRules, ProbeSeen } from './probe-seen.js';

/** Before the first request. `child`: of the record that names the parent; null: none was named. */
export function emptySeen(
  rules: ProbeRules,
  child: { readonly noun: string; readonly parentField: string } | null,
): ProbeSeen {
  return {
    rules,
    ...{ unknownFind: null, wrongSignature: null, put: null, found: null, putAgain: null, leftOut: null },
    ...{ restored: null, putChild: null, foundChild: null, repeated: null, ended: null },
    childNoun: child?.noun ?? null,
    parentField: child?.parentField ?? '',
  };
}
