import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/entity-name.js';
import type { Emit } from '../domain/events.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import { isPathDoubted, type VerifyCounters } from '../sync/read-back/verify-entity.js';
import type { RunDependencies } from '../sync/run-dependencies.js';
import type { RunSettings } from '../sync/run-settings.js';
import { DEFAULT_SAMPLE } from '../sync/read-back/default-sample.js';
import { verifyRecords } from '../sync/read-back/verify-records.js';

/**
 * Reads a sample of every entity back and tells what the platform holds otherwise, as warnings; repairs nothing. Never
 * rejects: what keeps it from its work is a warning too. `readBackRateLimit` of the dependencies has to keep the rate
 * together with whatever else is sent. Ends within a request when the signal aborts.
 */
export async function scheduledVerify(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  isReadable: (entity: EntityName) => boolean,
): Promise<void> {
  const { emit, signal } = dependencies;
  const warn = (message: string, hint: string | undefined) => emit({ type: 'warning', message, hint });
  const options = { sample: DEFAULT_SAMPLE, repair: false, isReadable };
  try {
    const { report, stops } = await verifyRecords(
      { ...dependencies, emit: withoutAreaNews(emit) },
      plans,
      settings,
      options,
    );
    for (const [entity, counters] of Object.entries(report.entities) as [EntityName, VerifyCounters][]) {
      const { checked, drifted, missing } = counters;
      // That the path is doubted was told, and a repair would send everything again.
      if (drifted + missing === 0 || isPathDoubted(counters)) continue;
      warn(
        `${entity}: of ${checked} records read back, ${drifted} are held otherwise and ${missing} are missing.`,
        `Send such records again: placement-sync verify --entity ${entity} --repair (with --all for every record, not only a sample).`,
      );
    }
    for (const { message, hint } of stops) warn(`Reading back ended early: ${message}`, hint);
  } catch (error) {
    if (signal.aborted) return;
    const hint = error instanceof SyncError ? error.hint : undefined;
    warn(`Reading back failed: ${error instanceof Error ? error.message : String(error)}`, hint);
  }
}

/** An area that is not read back any further is sent to all the same, so nobody must take it for stopped. */
function withoutAreaNews(emit: Emit): Emit {
  return (event) => {
    if (event.type !== 'area-stopped' && event.type !== 'area-paused') emit(event);
  };
}
