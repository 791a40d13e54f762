import type { DoctorFacts, EntityFacts } from './facts.js';
import type { RowFacts } from './rows/row-tally.js';
import { type Finding, judged, type Fact, type Level, undone, type Verdict } from './finding.js';

/** One thing that doctor looks at. Pure: facts in, findings out. */
export interface Check {
  readonly id: string;
  /** The levels that it may report beside `pass`. */
  readonly levels: readonly Exclude<Level, 'pass'>[];
  /** What it looks at, for the documentation. */
  readonly looksAt: string;
  readonly judge: (facts: DoctorFacts) => readonly Finding[];
}

type Description = Omit<Check, 'judge'>;

/** A check of the surroundings: databases, platform. */
export function generalCheck(
  about: Description & { readonly judge: (facts: DoctorFacts) => readonly Verdict[] },
): Check {
  return {
    ...about,
    judge: (facts) => about.judge(facts).map((verdict) => ({ id: about.id, entity: null, ...verdict })),
  };
}

/** A check of each entity. */
export function entityCheck(
  about: Description & {
    readonly judge: (entity: EntityFacts, facts: DoctorFacts) => readonly Verdict[];
  },
): Check {
  return {
    ...about,
    judge: (facts) =>
      facts.entities.flatMap((each) =>
        about.judge(each, facts).map((verdict) => ({ id: about.id, entity: each.entity.name, ...verdict })),
      ),
  };
}

/** The verdicts on rows: without any there is nothing to judge, and nothing is right. */
export function judgedRows(
  rows: Fact<RowFacts>,
  judge: (facts: RowFacts) => readonly Verdict[],
): readonly Verdict[] {
  return judged(rows, (facts) => (facts.read === 0 ? [undone('the query returns no rows')] : judge(facts)));
}
