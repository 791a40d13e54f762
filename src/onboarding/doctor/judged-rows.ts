import { undone, type Verdict } from './finding.js';
import { judged, type Learned } from './learned.js';
import type { RowFacts } from './rows/row-facts.js';

/** The verdicts on rows: without any there is nothing to judge, and nothing is right. Pure. */
export function judgedRows(
  rows: Learned<RowFacts>,
  judge: (facts: RowFacts) => readonly Verdict[],
): readonly Verdict[] {
  return judged(rows, (facts) => (facts.read === 0 ? [undone('the query returns no rows')] : judge(facts)));
}
