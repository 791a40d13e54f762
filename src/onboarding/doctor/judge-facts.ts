import type { Check } from './check.js';
import { CHECKS } from './checks.js';
import type { DoctorFacts } from './facts.js';
import { undone, type Finding, type Level } from './finding.js';

const URGENCY: Readonly<Record<Level, number>> = { fail: 0, warn: 1, pass: 2 };

/**
 * All findings: what fails before what is doubtful before what passes, each in the order of the checks. A check that
 * cannot be done never ends the others. Pure.
 */
export function judgeFacts(facts: DoctorFacts, checks: readonly Check[] = CHECKS): readonly Finding[] {
  const found = checks.flatMap((check) => {
    try {
      return check.judge(facts);
    } catch (error) {
      return [{ id: check.id, entity: null, ...undone(`${(error as Error).name} in the check itself`) }];
    }
  });
  const rank = ({ level, undone: isUndone }: Finding) => URGENCY[level] + (isUndone ? 0.5 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
