import { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import { runVerdict, type RunOutcome } from '../../domain/run-verdict.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { NOTHING_KNOWN } from '../../domain/trouble/trouble-facts.js';
import { judgeRun, runFacts } from './judge-run.js';
import type { RunDependencies } from '../run-dependencies.js';

/** Judges the run and stores how it ended. A state database that is gone by now makes it failed, not silent. */
export async function endRun(
  dependencies: RunDependencies,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: SyncError | null,
): Promise<{ exitCode: number; outcome: RunOutcome }> {
  try {
    const { exitCode, outcome } = await judgeRun(dependencies, reports, failure);
    const error = failure && { code: failure.code, message: failure.message };
    await dependencies.state.runs.finish(runId, {
      outcome,
      exitCode,
      entities: Object.fromEntries(reports),
      error,
    });
    return { exitCode, outcome };
  } catch (error) {
    const ended = failure ?? announceFailure(dependencies, error);
    const run = runFacts(dependencies.signal, new Map(), ended);
    return runVerdict(findTroubles({ ...NOTHING_KNOWN, run }), false);
  }
}

/** Tells what ended a run; gives it as a SyncError. One that a signal ended has not failed. */
export function announceFailure({ emit }: RunDependencies, error: unknown): SyncError {
  const failure = error instanceof SyncError ? error : unexpected(error);
  const { code, message, hint } = failure;
  if (code === 'interrupted') emit({ type: 'run-interrupted', message });
  else emit({ type: 'run-failed', code, message, hint });
  return failure;
}

function unexpected(error: unknown): SyncError {
  const message = error instanceof Error ? error.message : String(error);
  return new SyncError('unexpected', message, { scope: 'run', cause: error });
}
