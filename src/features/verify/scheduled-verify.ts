import type { ReadBackContext } from './read-backs.js';
import { SyncError } from '../../core/domain/errors.js';
import type { EntityName } from '../../core/domain/names.js';
import { DEFAULT_SAMPLE } from '../../core/domain/outcome.js';
import { verifyRecords, withoutStops } from './verify-records.js';

/**
 * Reads a sample of every entity back and warns of what differs at the platform. Repairs nothing. Never rejects: an
 * error is a warning too. `readBackRateLimit` of the context must count the push's requests too. When the signal aborts,
 * it ends after the current request.
 */
export async function scheduledVerify(
  context: ReadBackContext,
  isReadable: (entity: EntityName) => boolean,
): Promise<void> {
  const { emit, signal } = context;
  const warn = (message: string, hint: string | undefined) => emit({ type: 'warning', message, hint });
  const options = { sample: DEFAULT_SAMPLE, repair: false, isReadable };
  try {
    const quiet: ReadBackContext = { ...context, emit: withoutStops(emit) };
    const { report, stops, of, pathDoubts, notes } = await verifyRecords(quiet, options);
    for (const [entity, counters] of Object.entries(report.entities)) {
      const { checked, drifted, missing } = counters;
      const among = of[entity] ?? checked;
      // Another warning reports a doubtful path, and a repair would send everything again.
      if (drifted + missing === 0 || pathDoubts.some((doubt) => doubt.entity === entity)) continue;
      warn(
        `${entity}: of ${checked} records read back (of ${among}, chosen at random), ${drifted} differ at the platform and ${missing} are missing.`,
        `Look at every record, and send these again: placement-sync verify --all --repair --entity ${entity}`,
      );
    }
    for (const { message, hint } of notes) warn(message, hint);
    for (const { message, hint } of stops) warn(`Reading back ended early: ${message}`, hint);
  } catch (error) {
    if (signal.aborted) return;
    const hint = error instanceof SyncError ? error.hint : undefined;
    warn(`Reading back failed: ${error instanceof Error ? error.message : String(error)}`, hint);
  }
}
