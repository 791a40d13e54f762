import type { LoadedConfig } from '../../config/load.js';
import type { Area } from '../../domain/names.js';
import { SyncError } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import { createState } from '../../state/create-state.js';
import { appliedMigrations } from '../../state/database/migrate.js';
import { createStateDatabase } from '../../state/database/state-database.js';
import { refuseOtherEnvironment } from '../../sync/environment.js';
import type { PlanContext } from '../../sync/plan/plan-entity.js';
import { withoutLedger, type PlanState } from '../../sync/plan/plan-state.js';
import type { ConfiguredEntity, RunSettings } from '../../sync/run-context.js';
import { keepHeapSmall } from './keep-heap-small.js';
import { checkSchema } from './open-state.js';
import { openSource } from './open-source.js';
import { runSettings } from './run-settings.js';
import { systemClock } from './system-clock.js';
import { warnedOfStopping } from './warned-of-stopping.js';

export interface PlanningOptions {
  readonly emit: Emit;
  readonly entities: readonly ConfiguredEntity[];
  readonly signal: AbortSignal;
}

/** No password is right, or there is no such role or database: the ledger has still to be set up. */
const NOT_SET_UP = ['28P01', '28000', '3D000'];

/**
 * Opens what a plan needs, does `work`, and closes it again. `missing`: why there is no ledger yet; null: there is one.
 * Errors: SyncError `schema-not-migrated` of a ledger of another version, `environment-changed`, `state-unavailable`.
 */
export async function withPlanning<T>(
  config: LoadedConfig,
  { emit, entities, signal }: PlanningOptions,
  work: (context: PlanContext, missing: string | null) => Promise<T>,
): Promise<T> {
  keepHeapSmall();
  const settings = runSettings(config);
  const { state, missing, close } = await openLedger(config, signal);
  const source = openSource(config);
  try {
    return await warnedOfStopping({ emit, signal }, async () => {
      if (state !== null)
        await refuseOtherEnvironment({ settings: withCredentials(config, settings), state });
      const context = { settings, entities, source, clock: systemClock, emit, signal };
      return work({ ...context, state: state ?? withoutLedger() }, missing);
    });
  } finally {
    await source.close();
    await close();
  }
}

/** Only areas whose credentials are there: nobody knows to which client id the others belong, and a plan sends nothing. */
function withCredentials({ unsetCredentials }: LoadedConfig, settings: RunSettings): RunSettings {
  const areas = Object.entries(settings.areas).filter(([area]) => !unsetCredentials.has(area as Area));
  return { ...settings, areas: Object.fromEntries(areas) };
}

interface OpenedLedger {
  readonly state: (PlanState & Parameters<typeof refuseOtherEnvironment>[0]['state']) | null;
  readonly missing: string | null;
  close(): Promise<void>;
}

async function openLedger(config: LoadedConfig, signal: AbortSignal): Promise<OpenedLedger> {
  const database = createStateDatabase(config.settings.state);
  const close = () => database.close();
  try {
    if ((await appliedMigrations(database)).length === 0)
      return { state: null, missing: `The state schema "${database.schema}" has no tables yet`, close };
    await checkSchema(database);
    database.endAfter(signal);
    return { state: createState(database), missing: null, close };
  } catch (error) {
    if (error instanceof SyncError && NOT_SET_UP.includes(String(error.details.code)))
      return { state: null, missing: error.message, close };
    await close();
    throw error;
  }
}
