export type RunOutcome = 'complete' | 'partial' | 'held' | 'aborted' | 'failed' | 'busy';

/** What is known when a run ends. */
export interface RunFacts {
  /** An entity's query failed, the run itself failed, or it does not balance. */
  readonly failed: boolean;
  /** Stopped by a signal. */
  readonly interrupted: boolean;
  /** An area stopped: authentication refused, redirected, breaker open, or a long pause. */
  readonly areaStopped: boolean;
  readonly held: boolean;
  /** Records invalid or rejected, also standing ones, or waiting for a parent that will not come by itself. */
  readonly unsynced: boolean;
  /** Records that a later run sends: deferred, pending, or waiting. */
  readonly leftOver: boolean;
}

/** Exit code and outcome of a run; of several reasons the first of 1, 5, 4, 3, 0. */
export function runVerdict(facts: RunFacts): { readonly exitCode: number; readonly outcome: RunOutcome } {
  if (facts.interrupted) return { exitCode: 1, outcome: 'aborted' };
  if (facts.failed) return { exitCode: 1, outcome: 'failed' };
  if (facts.areaStopped) return { exitCode: 5, outcome: 'aborted' };
  if (facts.held) return { exitCode: 4, outcome: 'held' };
  if (facts.unsynced) return { exitCode: 3, outcome: 'partial' };
  return { exitCode: 0, outcome: facts.leftOver ? 'partial' : 'complete' };
}
