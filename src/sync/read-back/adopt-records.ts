import { AREAS, type Area } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/empty-report.js';
import type { AreaStop } from '../../domain/push/area-condition.js';
import { runVerdict } from '../../domain/run-verdict.js';
import { checkEnvironment } from '../environment/check-environment.js';
import type { EntityPlan } from '../entity-plan.js';
import { adoptEntity, type AdoptCounters } from './adopt-entity.js';
import { createFindLane } from './find-records.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunSettings } from '../run-settings.js';
import { timeoutOf } from '../run/run-sync.js';
import { sweepAll } from '../run/sweep-all.js';
import { dayAt } from '../run/day-at.js';
import { whatEnded } from '../run/what-ended.js';
import { withLeases, type RunLeases } from '../lease/with-leases.js';

/** What `adopt --json` prints: public interface. */
export interface AdoptReport {
  readonly entities: Record<EntityName, AdoptCounters>;
}

export interface AdoptResult {
  readonly report: AdoptReport;
  readonly exitCode: number;
}

/** The rate counts requests in any sliding second, so the Finds keep this distance to a push before them. */
const QUIET_MS = 1_003;

/**
 * Builds the ledger from what the platform already holds: a sweep, and one Find for every record that was never
 * acknowledged. What is held as it is wanted is acknowledged and never sent; the rest stays pending, with its links
 * where it is there. Sends nothing. Stopped in between, the next one goes on with what is left. `isReadable`: whether
 * the Find of an entity may be used. Errors: SyncError `environment-changed`, `lease-lost`, or what the state database
 * throws.
 */
export async function adoptRecords(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  isReadable: (entity: EntityName) => boolean,
): Promise<AdoptResult> {
  const { state, emit } = dependencies;
  await checkEnvironment(state.environments, settings);
  const readable = plans.filter(({ entity }) => entity.readBack !== null && isReadable(entity.name));
  const report: { entities: Record<EntityName, AdoptCounters> } = {
    entities: Object.fromEntries(
      readable.map(({ entity }) => [entity.name, { checked: 0, adopted: 0, different: 0, missing: 0 }]),
    ),
  };
  const held = await withLeases(dependencies, settings.leaseTtlMs, async (leases, signal) =>
    adoptUnderLeases({ ...dependencies, signal }, readable, settings, leases, report),
  );
  if ('result' in held) return { report, exitCode: held.result };
  const { name, holder, secondsLeft } = held.heldBy;
  emit({ type: 'lease-taken', lease: name, holder, secondsLeft });
  return { report, exitCode: ERROR_CODES.busy };
}

/** Gives the exit code. */
async function adoptUnderLeases(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  leases: RunLeases,
  report: AdoptReport,
): Promise<number> {
  const { state, source, signal } = dependencies;
  const swept = new Map<EntityName, EntityReport>(
    plans.map(({ entity }) => [entity.name, emptyReport(entity.name)]),
  );
  const longest = Math.max(...Object.values(settings.areas).map(({ timeoutMs }) => timeoutMs));
  await leases.push.fenced((fence) => state.queue.takeOver(fence, null, () => longest));
  try {
    // Nothing is marked for its age: adopting sends nothing.
    const ageless = plans.map((plan) => ({ ...plan, refreshAfterMs: null }));
    await sweepAll(dependencies, ageless, settings.sweep, leases.sweep, swept, timeoutOf(plans, settings));
  } catch (error) {
    const cause = whatEnded(signal);
    if (cause) throw cause;
    if (!signal.aborted) throw error;
  }
  await source.close();

  const ends = await Promise.allSettled(
    AREAS.map((area) => adoptArea(dependencies, area, plans, settings, leases, report)),
  );
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  const cause = whatEnded(signal);
  if (cause) {
    const hint = 'Nothing was lost: run adopt again, and it goes on.';
    throw new SyncError(cause.code, cause.message, { scope: 'run', hint, cause });
  }
  const stops = ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value] : []));
  const counts = await Promise.all(plans.map(({ entity }) => state.records.counts(entity.name)));
  const holds = await Promise.all(plans.map(({ entity }) => state.entityStates.read(entity.name)));
  return runVerdict({
    failed: [...swept.values()].some(({ error }) => error !== null),
    interrupted: signal.aborted,
    areaStopped: stops.length > 0,
    held: holds.some(({ hold }) => hold !== null),
    unsynced: counts.some(({ invalid }) => invalid > 0),
    leftOver: false,
  }).exitCode;
}

async function adoptArea(
  dependencies: RunDependencies,
  area: Area,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  leases: RunLeases,
  report: AdoptReport,
): Promise<AreaStop | null> {
  const { state, clock, emit, signal } = dependencies;
  const areaSettings = settings.areas[area];
  const ofArea = plans.filter(({ entity }) => entity.area === area);
  if (!areaSettings || ofArea.length === 0 || signal.aborted) return null;
  const counts = await Promise.all(ofArea.map(({ entity }) => state.readBacks.count(entity.name, 'unknown')));
  emit({ type: 'read-back-started', area, due: counts.reduce((sum, count) => sum + count, 0) });
  const { idleMs } = leases.push;
  // The push lease is ours, so the whole rate is.
  const rateLimit = dependencies.rateLimit(
    area,
    clock.monotonic() + (idleMs === null ? 0 : Math.max(0, QUIET_MS - idleMs)),
  );
  const { concurrency } = areaSettings;
  const lane = createFindLane(dependencies, area, rateLimit, settings.push, concurrency);
  // Parents first: a child is compared with the reference of its parent.
  for (const { entity } of ofArea) {
    const counters = report.entities[entity.name];
    if (counters === undefined || entity.readBack === null) continue;
    const today = dayAt(clock.now(), settings.sweep.timeZone);
    const { readBack } = entity;
    await adoptEntity({
      entity,
      readBack,
      lane,
      readBacks: state.readBacks,
      emit,
      today,
      counters,
      lease: leases.push,
    });
    if (counters.checked > 0 && counters.missing === counters.checked) {
      emit({
        type: 'warning',
        message: `${entity.name}: each of ${counters.checked} records is said not to be there (404).`,
        hint: `If the platform holds some of them, the path of ${readBack.find} is wrong: platform.operations.${readBack.find} sets it.`,
      });
    }
  }
  emit({ type: 'read-back-finished', area });
  return lane.stop();
}
