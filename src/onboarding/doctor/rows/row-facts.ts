import type { IssueGroup } from '../../../domain/issue-group.js';
import type { Learned } from '../learned.js';
import type { DoctorEntity } from '../doctor-entity.js';
import { createAbsentTally } from './absent-tally.js';
import type { Counted } from './counted.js';
import { createHtmlTally } from './html-tally.js';
import { createPlaceholderTally } from './placeholder-tally.js';
import type { Tally } from './tally.js';
import { createWordTally } from './word-tally.js';

/**
 * What is counted row by row, each under the name of its fact. The facts are derived from this record, so a check can ask
 * for no fact that nobody counts.
 */
export function createTallies(entity: DoctorEntity, columns: readonly string[]) {
  return {
    /** Per column of the query, the rows in which it is absent. */
    absent: createAbsentTally(columns),
    /** Columns with HTML that is not turned into plain text. */
    html: createHtmlTally(entity, entity.mapContext),
    placeholders: createPlaceholderTally(),
    /** Words that the interface does not know, by field; the most frequent first. */
    words: createWordTally(),
  } satisfies Readonly<Record<string, Tally<unknown>>>;
}

type Tallies = ReturnType<typeof createTallies>;

export type TalliedFacts = {
  readonly [Name in keyof Tallies]: Tallies[Name] extends Tally<infer Fact> ? Fact : never;
};

/** What the tallies have counted so far. */
export function talliedFacts(tallies: Tallies): TalliedFacts {
  return Object.fromEntries(
    Object.entries(tallies).map(([name, tally]) => [name, tally.result()]),
  ) as unknown as TalliedFacts;
}

/** What one reading of an entity's rows has shown. */
export interface RowFacts extends TalliedFacts {
  readonly read: number;
  /** `all` rows, those until the `time` was over, or a `sample`. */
  readonly extent: 'all' | 'time' | 'sample';
  /** Columns of the query, in its order. */
  readonly columns: readonly string[];
  /** Rows whose key is null or empty. */
  readonly withoutKey: number;
  readonly duplicates: Counted;
  readonly invalid: number;
  /** What is invalid, with what waits for it, and what is doubtful; the largest effect first. */
  readonly groups: readonly IssueGroup[];
  /** Records that name no parent; null: the entity has no parents. */
  readonly parentless: Counted | null;
  /** Null: it has no parents. */
  readonly orphans: Learned<Counted> | null;
  /** Application statuses: those whose application is not in the inbox; null: other records. */
  readonly foreign: Learned<Counted> | null;
}
