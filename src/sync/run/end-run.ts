import type { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import { type RunOutcome, runVerdict } from '../../domain/run-ending.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { NOTHING_KNOWN } from '../../domain/trouble/trouble.js';
import { asSyncError } from './as-sync-error.js';
import { judgeRun, runFacts } from './judge-run.js';
import type { RunContext } from '../run-context.js';

/** Judges the run and stores how it ended. If the state database is gone by now, the run fails. */
export async function endRun(
  context: RunContext,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
  failure: SyncError | null,
): Promise<{ exitCode: number; outcome: RunOutcome }> {
  try {
    const { exitCode, outcome } = await judgeRun(context, reports, failure);
    const error = failure && { code: failure.code, message: failure.message };
    await context.state.runs.finish(runId, {
      outcome,
      exitCode,
      entities: Object.fromEntries(reports),
      error,
    });
    return { exitCode, outcome };
  } catch (error) {
    const ended = failure ?? announceFailure(context, error);
    const run = runFacts(context.signal, new Map(), ended);
    return runVerdict(findTroubles({ ...NOTHING_KNOWN, run }), false);
  }
}

/** Reports what ended a run, and gives it as a SyncError. A run that a signal ended has not failed. */
export function announceFailure({ emit }: Pick<RunContext, 'emit'>, error: unknown): SyncError {
  const failure = asSyncError(error);
  const { code, message, hint } = failure;
  if (code === 'interrupted') emit({ type: 'run-interrupted', message });
  else emit({ type: 'run-failed', code, message, hint, ...whereDefectIs(failure) });
  return failure;
}

/** A defect cannot be found by its message. The frames name files and lines only; the message is in the event already. */
function whereDefectIs({ code, cause }: SyncError): { readonly stack?: string } {
  if (code !== 'unexpected' || !(cause instanceof Error)) return {};
  const frames = cause.stack?.split('\n').filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line)) ?? [];
  return frames.length === 0 ? {} : { stack: frames.join('\n') };
}

/** Deletes what is past its retention. */
export async function pruneState({ state, settings }: Pick<RunContext, 'state' | 'settings'>): Promise<void> {
  await state.runs.prune(settings.state.retentionMs);
  await state.ledger.prune(settings.state.retentionMs);
  await state.inbox.prune(settings.webhook.retentionMs);
  await state.deliveries.prune(settings.state.deliveryRetentionMs);
}
