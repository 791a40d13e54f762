import { TROUBLE_KINDS } from './trouble/trouble-kinds.js';
import type { Trouble } from './trouble/trouble.js';

export type RunOutcome = 'complete' | 'partial' | 'held' | 'aborted' | 'failed' | 'busy';

/** Exit codes, the most important first (docs/runbook.md). */
const WORST_FIRST = [1, 5, 4, 3] as const;

const OUTCOMES = { 1: 'failed', 5: 'aborted', 4: 'held', 3: 'partial' } as const;

/**
 * Exit code and outcome of a run that ends with these troubles; of several the first of 1, 5, 4, 3, 0. `leftOver`:
 * records that a later run sends, deferred, pending or waiting. Pure.
 */
export function runVerdict(
  troubles: readonly Trouble[],
  leftOver: boolean,
): { readonly exitCode: number; readonly outcome: RunOutcome } {
  // A signal explains everything else that is incomplete.
  if (troubles.some(({ kind }) => kind === 'interrupted')) return { exitCode: 1, outcome: 'aborted' };
  const codes = troubles.map(exitCodeOf);
  const worst = WORST_FIRST.find((code) => codes.includes(code));
  if (worst !== undefined) return { exitCode: worst, outcome: OUTCOMES[worst] };
  return { exitCode: 0, outcome: leftOver ? 'partial' : 'complete' };
}

function exitCodeOf(trouble: Trouble): number {
  return trouble.kind === 'blocked' && trouble.parentKeptBack ? 0 : TROUBLE_KINDS[trouble.kind].exitCode;
}
