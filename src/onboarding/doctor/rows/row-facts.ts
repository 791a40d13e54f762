import type { IssueGroup } from '../../../domain/issue-group/issue-group.js';
import type { Learned } from '../learned.js';
import type { Counted } from './counted.js';
import type { Placeholder } from './placeholder-tally.js';
import type { UnknownWord } from './word-tally.js';

/** What one reading of an entity's rows has shown. */
export interface RowFacts {
  readonly read: number;
  /** `all` rows, those until the `time` was over, or a `sample`. */
  readonly extent: 'all' | 'time' | 'sample';
  /** Columns of the query, in its order. */
  readonly columns: readonly string[];
  /** Rows whose key is null or empty. */
  readonly withoutKey: number;
  readonly duplicates: Counted;
  /** Per column of the query, the rows in which it is absent. */
  readonly absent: ReadonlyMap<string, number>;
  readonly invalid: number;
  /** What is invalid, with what waits for it, and what is doubtful; the largest effect first. */
  readonly groups: readonly IssueGroup[];
  /** Records that name no parent; null: the entity has no parents. */
  readonly parentless: Counted | null;
  /** Null: it has no parents. */
  readonly orphans: Learned<Counted> | null;
  /** Columns with HTML that is not turned into plain text. */
  readonly html: readonly (Counted & { readonly column: string })[];
  readonly placeholders: readonly Placeholder[];
  /** Words that the interface does not know, by field; the most frequent first. */
  readonly words: ReadonlyMap<string, readonly UnknownWord[]>;
  /** Application statuses: those whose application is not in the inbox; null: other records. */
  readonly foreign: Learned<Counted> | null;
}
