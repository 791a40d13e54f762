import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/entity-name.js';
import type { Emit } from '../domain/events.js';
import { isPathDoubted, type VerifyCounters } from '../sync/read-back/verify-entity.js';
import type { RunContext } from '../sync/run-context.js';
import { DEFAULT_SAMPLE } from '../sync/read-back/default-sample.js';
import { verifyRecords } from '../sync/read-back/verify-records.js';

/**
 * Reads a sample of every entity back and reports what differs at the platform, as warnings; repairs nothing. Never
 * rejects: what keeps it from its work is a warning too. `readBackRateLimit` of the context has to keep the rate
 * together with whatever else is sent. Ends within a request when the signal aborts.
 */
export async function scheduledVerify(
  context: RunContext,
  isReadable: (entity: EntityName) => boolean,
): Promise<void> {
  const { emit, signal } = context;
  const warn = (message: string, hint: string | undefined) => emit({ type: 'warning', message, hint });
  const options = { sample: DEFAULT_SAMPLE, repair: false, isReadable };
  try {
    const quiet = { ...context, emit: withoutAreaNews(emit) };
    const { report, stops } = await verifyRecords(quiet, options);
    for (const [entity, counters] of Object.entries(report.entities) as [EntityName, VerifyCounters][]) {
      const { checked, drifted, missing } = counters;
      // That the path is doubted was reported, and a repair would send everything again.
      if (drifted + missing === 0 || isPathDoubted(counters)) continue;
      warn(
        `${entity}: of ${checked} records read back, ${drifted} differ at the platform and ${missing} are missing.`,
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
