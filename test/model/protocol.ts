import type { VanishedPolicy } from '../../src/core/domain/guard.js';
import type { ResendRequest, Row, RowFinding } from './ledger-row.js';
import type { Rules } from './rules.js';
import type { SourceValue } from './hash.js';
import type { World } from './world-state.js';

export interface Protocol {
  readonly policy: VanishedPolicy;
  readonly rules: Rules;
  readonly resends: readonly ResendRequest[];
  readonly findings: (source: SourceValue, row: Row) => RowFinding | null;
}

/**
 * Takes one step: `next` is the world after it. `calm`: it happens also when nobody edits and nothing fails any more.
 * `text` says what happened.
 */
export type Take = (next: World, calm: boolean, text: () => string) => void;

/** Takes a step whose world is made by `change`. */
export type Step = (calm: boolean, change: (next: World) => void, text: () => string) => void;
