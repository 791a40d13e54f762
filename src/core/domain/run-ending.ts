import type { EntityName } from './names.js';
import type { EntityReport } from './outcome.js';
import { grouped, plural } from './text.js';
import { stopsArea } from './trouble/find-troubles.js';
import { type Trouble, TROUBLE_KINDS } from './trouble/trouble.js';

/**
 * How a run ended: the verdict on its troubles (`runVerdict`), and the error that decided it.
 */

type Failure = NonNullable<EntityReport['error']>;

/** How a run ended, as it is stored. */
export interface RunEnding {
  /** Null: it is under way. */
  readonly outcome: string | null;
  readonly exitCode: number | null;
  /** What ended the whole run early. */
  readonly error: Failure | null;
  readonly entities: Readonly<
    Record<EntityName, Pick<EntityReport, 'error' | 'held' | 'waiting' | 'pending' | 'deferred'>>
  >;
}

/** How a run ended in a few words: `done, 20 need correction`. Another outcome is its own word. */
export function outcomeText(outcome: string, exitCode: number | null, toCorrect = 0): string {
  if (outcome === 'complete') return 'done';
  if (outcome !== 'partial') return outcome;
  if (exitCode !== 3) return 'done, a later run sends the rest';
  return toCorrect === 0
    ? 'done, some records need correction'
    : `done, ${grouped(toCorrect)} ${plural(toCorrect, 'needs', 'need')} correction`;
}

/** The error that decided how the run ended: its own, or that of an entity or an area. Null: none did. */
export function decidingError({ exitCode, error, entities }: RunEnding): Failure | null {
  if (error || (exitCode !== 1 && exitCode !== 5)) return error;
  const errors = Object.values(entities).flatMap((report) => report.error ?? []);
  return errors.find(({ code }) => stopsArea(code) === (exitCode === 5)) ?? null;
}

export type RunOutcome = 'complete' | 'partial' | 'held' | 'aborted' | 'failed' | 'busy';

/** Exit codes, the most important first (docs/reference/codes.md). */
const WORST_FIRST = [1, 5, 4, 3] as const;

const OUTCOMES = { 1: 'failed', 5: 'aborted', 4: 'held', 3: 'partial' } as const;

/**
 * Exit code and outcome of a run that ends with these troubles; of several the first of 1, 5, 4, 3, 0. `leftOver`:
 * records that a later run sends, deferred, pending or waiting.
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
