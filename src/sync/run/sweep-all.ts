import { platformDay } from '../../contract/time.js';
import { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/names.js';
import type { IssueGroup } from '../../domain/issue-group.js';
import type { EntityReport } from '../../domain/outcome.js';
import { leaseLost, type HeldLease } from '../lease/hold-lease.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { RunContext } from '../run-context.js';
import { timeoutOf } from '../run-settings.js';
import { sweepCounters } from '../sweep/change-tally.js';
import { sweepEntity, type SweepContext } from '../sweep/sweep-entity.js';

/**
 * Sweeps one entity after the other into `reports`, and what is doubtful into `doubtful`. After one entity fails, the others are still swept. Errors:
 * SyncError of scope `run`; `interrupted` when a signal comes before the next one.
 */
export async function sweepAll(
  context: RunContext,
  lease: HeldLease,
  reports: ReadonlyMap<EntityName, EntityReport>,
  doubtful: IssueGroup[] = [],
): Promise<void> {
  const { state, entities, emit, signal } = context;
  let unavailable: SyncError | null = null;
  // Application statuses are found by their vacancy's key, which the ledger may have learned since.
  await state.inbox.resolveVacancyKeys();
  // What a sweep left behind that failed or was cut off; those of this run have different entities.
  await lease.fenced((fence) => state.staging.clear(fence));
  for (const entity of entities) {
    const { name } = entity;
    const report = reports.get(name);
    if (signal.aborted) throw interruptedBefore(name);
    if (!lease.held()) throw leaseLost('sweep');
    if (!report) continue;
    try {
      // An unreachable source is not tried again; what is pending is still sent.
      if (unavailable) throw unavailable;
      const { tally, hold, ...found } = await sweepEntity({ ...context, lease }, entity);
      doubtful.push(...found.doubtful);
      if (hold === null) await refresh({ ...context, lease }, entity);
      Object.assign(report, sweepCounters(name, tally));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      if (error.code === 'source-unavailable') unavailable = error;
      else if (error.scope !== 'entity') throw error;
      report.error = { code: error.code, message: error.message };
      const { code, message, hint } = error;
      emit({ type: 'entity-failed', entity: name, code, message, hint });
    }
  }
}

function interruptedBefore(entity: EntityName): SyncError {
  return new SyncError(
    'interrupted',
    `The run was stopped before ${entity} were read. Earlier entities are applied.`,
    { scope: 'run' },
  );
}

/** Requests a resend of records past `refreshAfter`. */
async function refresh(
  { state, clock, settings, lease }: SweepContext,
  entity: ConfiguredEntity,
): Promise<void> {
  const { refreshAfterMs } = entity;
  if (refreshAfterMs === null || !entity.repeatable) return;
  const times = {
    afterMs: refreshAfterMs,
    today: platformDay(clock.now(), settings.platform.timeZone),
    timeoutMs: timeoutOf(settings, entity.name),
  };
  await lease.fenced((fence) => state.resendRequests.refresh(fence, entity, times));
}
