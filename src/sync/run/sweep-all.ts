import { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import { dayAt } from './day-at.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { leaseLost } from '../lease/lease-lost.js';
import type { EntityPlan } from '../entity-plan.js';
import type { RunDependencies } from '../run-dependencies.js';
import { sweepCounters } from '../sweep/change-tally.js';
import { sweepEntity, type SweepSettings } from '../sweep/sweep-entity.js';

/**
 * Sweeps one entity after the other into `reports`. An entity that fails does not keep the others from being
 * swept. Errors: SyncError of scope `run`; `interrupted` when a signal keeps the next one from being begun.
 */
export async function sweepAll(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: SweepSettings,
  lease: HeldLease,
  reports: ReadonlyMap<EntityName, EntityReport>,
  timeoutMs: (entity: EntityName) => number,
): Promise<void> {
  let unavailable: SyncError | null = null;
  // Application statuses are found by their vacancy's key, which may have become known since.
  await dependencies.state.inbox.resolveVacancyKeys();
  for (const plan of plans) {
    const report = reports.get(plan.entity.name);
    if (dependencies.signal.aborted) throw interruptedBefore(plan.entity.name);
    if (!lease.held()) throw leaseLost('sweep');
    if (!report) continue;
    try {
      // A source that cannot be reached is not asked again; what is pending is sent all the same.
      if (unavailable) throw unavailable;
      const { tally, hold } = await sweepEntity(dependencies, plan, settings, lease);
      if (hold === null) await refresh(dependencies, plan, settings, lease, timeoutMs);
      Object.assign(report, sweepCounters(plan.entity.name, tally));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      if (error.code === 'source-unavailable') unavailable = error;
      else if (error.scope !== 'entity') throw error;
      report.error = { code: error.code, message: error.message };
      const { code, message, hint } = error;
      dependencies.emit({ type: 'entity-failed', entity: plan.entity.name, code, message, hint });
    }
  }
}

function interruptedBefore(entity: EntityName): SyncError {
  return new SyncError(
    'interrupted',
    `Stopped by a signal before ${entity} were read; what finished before is applied.`,
    { scope: 'run' },
  );
}

/** Marks what is to be sent again for its age. */
async function refresh(
  { state, clock }: RunDependencies,
  { entity, refreshAfterMs, closedStatus }: EntityPlan,
  { timeZone }: SweepSettings,
  lease: HeldLease,
  timeoutMs: (entity: EntityName) => number,
): Promise<void> {
  if (refreshAfterMs === null || !entity.repeatable) return;
  const options = {
    afterMs: refreshAfterMs,
    today: dayAt(clock.now(), timeZone),
    lastDay: entity.lastDay,
    statusField: entity.statusField,
    closedStatus,
    timeoutMs: timeoutMs(entity.name),
  };
  await lease.fenced((fence) => state.marks.refresh(fence, entity.name, options));
}
