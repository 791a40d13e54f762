import type { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/index.js';
import type { Trigger } from '../../ports/runs.js';
import { announceFailure, endRun, pruneState } from './end-run.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { RunContext } from '../run-context.js';
import type { RunReport } from './run-report.js';
import { sweepAll } from './sweep-all.js';
import { causeOf } from './what-ended.js';
import { warnOfDoubt } from './warn-of-doubt.js';

/**
 * A run of the worker: one sweep under a lease that it already holds; the push goes on beside it. Never throws for what
 * happens in the run: the report has it.
 */
export async function runSweep(context: RunContext, lease: HeldLease, trigger: Trigger): Promise<RunReport> {
  const { state, clock, emit, newId, holder } = context;
  const runId = newId();
  const reports = new Map<EntityName, EntityReport>(
    context.entities.map(({ name }) => [name, emptyReport(name)]),
  );
  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  emit({ type: 'run-started', runId, entities: [...reports.keys()] });
  let failure: SyncError | null = null;
  try {
    await state.runs.start({ runId, trigger, holder });
    await warnOfDoubt(context);
    await sweepAll(context, lease, reports);
    await pruneState(context);
  } catch (error) {
    failure = announceFailure(context, causeOf(error, context.signal));
  }
  const { exitCode, outcome } = await endRun(context, runId, reports, failure);
  emit({ type: 'run-finished', runId, exitCode, outcome, elapsedMs: clock.monotonic() - began });
  const finishedAt = new Date(clock.now()).toISOString();
  return { runId, outcome, startedAt, finishedAt, exitCode, entities: Object.fromEntries(reports) };
}
