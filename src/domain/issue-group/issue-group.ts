import type { EntityName } from '../entity-name.js';

/** Records of another entity that cannot be sent because of a group. */
export interface Follow {
  readonly entity: EntityName;
  readonly count: number;
  readonly standing: 'invalid' | 'waiting';
}

/** Records of one entity that have the same problem, and what follows from it. */
export interface IssueGroup {
  readonly entity: EntityName;
  /** `invalid`: not sent. `waiting`: not sent before its parent. `doubtful`: sent, but probably wrong. */
  readonly kind: 'invalid' | 'waiting' | 'doubtful';
  /** The column of the query, where the issue names it; else the path in the body. Null: about no single field. */
  readonly field: string | null;
  /** Of an issue, or of a parent that does not come: `parent-absent`. */
  readonly code: string;
  /** Without the parts in which the records differ. */
  readonly message: string;
  /** What to do about it; null: nothing is known. */
  readonly hint: string | null;
  /** Records that have it. */
  readonly count: number;
  /** The first of them, as `recordName` has it. */
  readonly sampleKeys: readonly string[];
  readonly follows: readonly Follow[];
}
