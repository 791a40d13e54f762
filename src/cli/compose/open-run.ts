import { troubleWarning } from '../../features/troubles/describe-trouble.js';
import { type AppContext, createState } from '../../features/create-state.js';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import v8 from 'node:v8';
import type { LoadedConfig } from '../../core/config/load.js';
import { SyncError } from '../../core/domain/errors.js';
import type { Area } from '../../core/domain/names.js';
import { appliedMigrations } from '../../core/ledger/database/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../core/ledger/database/state-database.js';
import { refuseOtherEnvironment } from '../../core/run/environment.js';
import { withWork } from '../../core/leases.js';
import type { PlanRequest } from '../../features/plan/plan-sync.js';
import type { RunSettings } from '../../core/context.js';
import { configuredEntities } from './configured-entities.js';
import { type OpenedPlatforms, openPlatforms } from './open-platforms.js';
import { openSource } from './open-source.js';
import { checkSchema, openState, runSettings } from './open-state.js';
import { systemClock } from './package-info.js';

interface CoreOptions extends Pick<AppContext, 'state' | 'emit' | 'signal' | 'holder'> {
  /** The entities of the work; absent: all configured ones. */
  readonly entities?: AppContext['entities'] | undefined;
  /** Absent: with clients and rates of its own. */
  readonly platforms?: Omit<OpenedPlatforms, 'leaving'>;
}

/** Opens source and platforms beside a ledger: `context` is what all work with one configuration gets, whole. */
export function openCore(
  config: LoadedConfig,
  { entities = configuredEntities(config), platforms = openPlatforms(config), ...given }: CoreOptions,
): { readonly context: AppContext; close(): Promise<void> } {
  const source = openSource(config);
  const { close, ...sending } = platforms;
  return {
    context: {
      ...given,
      ...sending,
      settings: runSettings(config),
      entities,
      source,
      describe: troubleWarning,
      clock: systemClock,
      random: Math.random,
      newId: randomUUID,
    },
    close: async () => void (await Promise.allSettled([source.close(), close()])),
  };
}

interface RunOptions extends Pick<AppContext, 'emit' | 'signal'> {
  readonly migrate?: boolean;
  /** The entities of the work; absent: all configured ones. */
  readonly entities?: AppContext['entities'];
}

/**
 * Opens what the work of a command needs, does the work, and closes everything again, also when the work fails.
 * `withRunContext`: ledger, source and platforms, for all that reads, marks or sends records. `withPlanContext`: no
 * platforms, and no ledger where there is none yet.
 */
export async function withRunContext<T>(
  config: LoadedConfig,
  { emit, signal, migrate = false, entities }: RunOptions,
  work: (context: AppContext) => Promise<T>,
): Promise<T> {
  keepHeapSmall();
  return warnedOfStopping({ emit, signal }, async () => {
    const open = () => openState(config, { migrate: migrate ? { emit, signal } : undefined, signal, emit });
    const state = await (migrate ? withWork(emit, 'Migrating the state schema', open) : open());
    const holder = `${hostname()} pid ${process.pid}`;
    const core = openCore(config, { state, emit, signal, holder, entities });
    try {
      return await work(core.context);
    } finally {
      await core.close();
      await state.close();
    }
  });
}

/**
 * `missing`: why there is no ledger yet; null: there is one. Errors: SyncError `schema-not-migrated` of a ledger of another
 * version, `environment-changed`, `state-unavailable`.
 */
export async function withPlanContext<T>(
  config: LoadedConfig,
  { emit, entities, signal }: Pick<AppContext, 'emit' | 'entities' | 'signal'>,
  work: (context: PlanRequest, missing: string | null) => Promise<T>,
): Promise<T> {
  keepHeapSmall();
  const settings = runSettings(config);
  const database = createStateDatabase(config.settings.state);
  const source = openSource(config);
  try {
    const missing = await whyNoLedger(database);
    const state = missing === null ? createState(database) : null;
    if (state !== null) database.endAfter(signal);
    return await warnedOfStopping({ emit, signal }, async () => {
      if (state !== null)
        await refuseOtherEnvironment({ settings: withCredentials(config, settings), state });
      const context = { settings, entities, source, clock: systemClock, emit, signal };
      return work({ ...context, state }, missing);
    });
  } finally {
    await source.close();
    await database.close();
  }
}

/** No password is right, or there is no such role or database: the ledger has still to be set up. */
const NOT_SET_UP = ['28P01', '28000', '3D000'];

async function whyNoLedger(database: StateDatabase): Promise<string | null> {
  try {
    if ((await appliedMigrations(database)).length === 0)
      return `The state schema "${database.schema}" has no tables yet`;
    await checkSchema(database);
    return null;
  } catch (error) {
    if (error instanceof SyncError && NOT_SET_UP.includes(String(error.details.code))) return error.message;
    throw error;
  }
}

/** Only areas whose credentials are there: nobody knows to which client id the others belong, and a plan sends nothing. */
function withCredentials({ unsetCredentials }: LoadedConfig, settings: RunSettings): RunSettings {
  const areas = Object.entries(settings.areas).filter(([area]) => !unsetCredentials.has(area as Area));
  return { ...settings, areas: Object.fromEntries(areas) };
}

/**
 * Memory does not grow with the row count, but V8 lets garbage pile up to four times of what is alive before it
 * collects. These settings make it collect earlier: a first sweep of 60,000 rows of 1 KB peaks at 121 MB instead
 * of 222 MB, for a fifth more CPU time (/usr/bin/time -v). They work after start-up, so `node <bin>` needs no flags.
 * They are not set earlier, because collecting while modules load costs a tenth of the start.
 */
export function keepHeapSmall(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
  v8.setFlagsFromString('--max-semi-space-size=8');
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/** Does `work`, and says at the first signal that it is finished first. */
export async function warnedOfStopping<T>(
  { emit, signal }: Pick<AppContext, 'emit' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const stopping = () =>
    emit({
      type: 'warning',
      message: 'Stopping: the work under way is finished first. A second signal ends the process at once.',
    });
  signal.addEventListener('abort', stopping, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', stopping);
  }
}
