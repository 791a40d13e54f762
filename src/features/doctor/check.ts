import type { DoctorFacts, EntityFacts } from './facts.js';
import type { RowFacts } from './rows/row-tally.js';
import {
  type DoctorEntity,
  type Finding,
  judged,
  type Level,
  pass,
  undone,
  type Verdict,
} from './finding.js';

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

interface EntityDescription extends Description {
  /** What it says of an entity with which nothing is wrong; absent: nothing. */
  readonly passes?: string;
  /** Of which entities it is; absent: of all. */
  readonly applies?: (entity: DoctorEntity) => boolean;
}

/** A check of each entity. */
export function entityCheck(
  about: EntityDescription & {
    readonly judge: (entity: EntityFacts, facts: DoctorFacts) => readonly Verdict[];
  },
): Check {
  const { passes, applies = () => true } = about;
  return {
    ...about,
    judge: (facts) =>
      facts.entities
        .filter(({ entity }) => applies(entity))
        .flatMap((each) => {
          const found = about.judge(each, facts);
          const all = found.length === 0 && passes !== undefined ? [pass(passes)] : found;
          return all.map((verdict) => ({ id: about.id, entity: each.entity.name, ...verdict }));
        }),
  };
}

/** A check of each entity's rows: without any there is nothing to judge, and nothing is right. */
export function rowsCheck(
  about: EntityDescription & {
    readonly judge: (rows: RowFacts, entity: EntityFacts, facts: DoctorFacts) => readonly Verdict[];
  },
): Check {
  return entityCheck({
    ...about,
    judge: (entity, facts) =>
      judged(entity.rows, (rows) =>
        rows.read === 0 ? [undone('the query returns no rows')] : about.judge(rows, entity, facts),
      ),
  });
}
