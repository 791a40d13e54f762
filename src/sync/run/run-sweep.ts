import type { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/empty-report.js';
import type { Trigger } from '../../ports/runs.js';
import { announceFailure, endRun } from './end-run.js';
import type { EntityPlan } from '../entity-plan.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunReport } from './run-report.js';
import type { RunSettings } from '../run-settings.js';
import { timeoutOf } from './run-sync.js';
import { sweepAll } from './sweep-all.js';
import { causeOf } from './cause-of.js';
import { warnOfDoubt } from './warn-of-doubt.js';

/**
 * A run of the long-running worker: one sweep under a lease that is held already; the push goes on beside it. Never
 * throws for what happens in the run: that is in the report.
 */
export async function runSweep(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  lease: HeldLease,
  trigger: Trigger,
): Promise<RunReport> {
  const { state, clock, emit, newId, holder } = dependencies;
  const runId = newId();
  const reports = new Map<EntityName, EntityReport>(
    plans.map(({ entity }) => [entity.name, emptyReport(entity.name)]),
  );
  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  emit({ type: 'run-started', runId, entities: [...reports.keys()] });
  let failure: SyncError | null = null;
  try {
    await state.runs.start({ runId, trigger, holder });
    await warnOfDoubt(dependencies, [...reports.keys()]);
    await sweepAll(dependencies, plans, settings.sweep, lease, reports, timeoutOf(plans, settings));
    await state.runs.prune(settings.retentionMs);
    await state.ledger.prune(settings.retentionMs);
    await state.inbox.prune(settings.inboxRetentionMs);
  } catch (error) {
    failure = announceFailure(dependencies, causeOf(error, dependencies.signal));
  }
  const { exitCode, outcome } = await endRun(dependencies, runId, reports, failure);
  emit({ type: 'run-finished', runId, exitCode, outcome, elapsedMs: clock.monotonic() - began });
  const finishedAt = new Date(clock.now()).toISOString();
  return { runId, outcome, startedAt, finishedAt, exitCode, entities: Object.fromEntries(reports) };
}
