import { SyncError } from '../domain/errors.js';
import type { EntityName } from '../domain/names.js';
import type { Emit } from '../domain/events.js';
import { isPathDoubted } from '../sync/read-back/verify-entity.js';
import type { RunContext } from '../sync/run-context.js';
import { DEFAULT_SAMPLE } from '../sync/read-back/default-sample.js';
import { verifyNotes } from '../sync/read-back/verify-notes.js';
import { verifyRecords } from '../sync/read-back/verify-records.js';

/**
 * Reads a sample of every entity back and warns of what differs at the platform. Repairs nothing. Never rejects: an
 * error is a warning too. `readBackRateLimit` of the context must count the push's requests too. When the signal aborts,
 * it ends after the current request.
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
    const { report, stops, of } = await verifyRecords(quiet, options);
    for (const [entity, counters] of Object.entries(report.entities)) {
      const { checked, drifted, missing } = counters;
      const among = of[entity] ?? checked;
      // Another warning reports a doubtful path, and a repair would send everything again.
      if (drifted + missing === 0 || isPathDoubted(counters)) continue;
      warn(
        `${entity}: of ${checked} records read back (of ${among}, chosen at random), ${drifted} differ at the platform and ${missing} are missing.`,
        `Look at every record, and send these again: placement-sync verify --all --repair --entity ${entity}`,
      );
    }
    for (const { message, hint } of verifyNotes(report)) warn(message, hint);
    for (const { message, hint } of stops) warn(`Reading back ended early: ${message}`, hint);
  } catch (error) {
    if (signal.aborted) return;
    const hint = error instanceof SyncError ? error.hint : undefined;
    warn(`Reading back failed: ${error instanceof Error ? error.message : String(error)}`, hint);
  }
}

/** The push goes on in an area whose reading back stopped, so it must not look like a stopped area. */
function withoutAreaNews(emit: Emit): Emit {
  return (event) => {
    if (event.type !== 'area-stopped' && event.type !== 'area-paused') emit(event);
  };
}
