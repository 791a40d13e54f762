import type { LoadedConfig } from '../../core/config/load.js';
import { areaSettings } from '../../core/config/schema.js';
import { SyncError } from '../../core/domain/errors.js';
import { entity as entityNamed } from '../../core/entities/index.js';
import { createState, type State } from '../../features/create-state.js';
import type { InboxOptions } from '../../features/webhook/state/inbox.js';
import { encodingFault } from '../../core/ledger/database/encoding.js';
import {
  appliedMigrations,
  migrate,
  type MigrateOptions,
  MIGRATION_DATABASE,
  pendingMigrations,
} from '../../core/ledger/database/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../core/ledger/database/state-database.js';
import type { RunContext, RunSettings } from '../../core/context.js';

/**
 * The ledger of a configuration: connects to the state database and checks its schema; `migrate` updates it first. After
 * `signal`, no statement takes long. Errors: SyncError `schema-not-migrated`, `state-unavailable`.
 */
export async function openState(
  config: LoadedConfig,
  { migrate: migration, signal, emit }: OpenOptions,
): Promise<State> {
  const { settings } = config;
  const database = createStateDatabase(settings.state);
  try {
    if (migration) await migrateState(settings.state, migration);
    await checkSchema(database);
    const fault = emit && (await encodingFault(database));
    if (fault) emit({ type: 'warning', message: fault.message, hint: fault.hint });
    if (signal) database.endAfter(signal);
    return createState(database, inboxOptions(config));
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface OpenOptions {
  readonly migrate?: MigrationWork | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For a warning of a database that may not take every text; absent: nobody asks. */
  readonly emit?: RunContext['emit'];
}

/** What the inbox does with an application. */
export function inboxOptions({ settings }: LoadedConfig): InboxOptions {
  return {
    timeZone: settings.platform.timeZone,
    keep: settings.webhook.keep,
  };
}

/** The same for a command that only looks: does `work` and closes it again. Without a signal, statements may take long. */
export async function withState<T>(
  config: LoadedConfig,
  signal: AbortSignal | undefined,
  work: (state: State) => Promise<T>,
): Promise<T> {
  const state = await openState(config, { signal });
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

/**
 * Checks that the state database answers and its schema belongs to this version.
 * Errors: SyncError `schema-not-migrated` for an older or newer one, `state-unavailable`.
 */
export async function checkSchema(database: StateDatabase): Promise<void> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return;
  // Of a new database the list of all migrations would say nothing.
  const isNew = (await appliedMigrations(database)).length === 0;
  throw new SyncError(
    'schema-not-migrated',
    `The state schema "${database.schema}" ${isNew ? 'has no tables yet' : `is not up to date: ${pending.join(', ')}`}.`,
    {
      scope: 'usage',
      hint: 'Run: placement-sync migrate (run and start also take --migrate).',
      details: isNew ? {} : { otherVersion: 'older' },
    },
  );
}

type LedgerAt = Pick<LoadedConfig['settings']['state'], 'url' | 'schema'>;

type MigrationWork = Pick<RunContext, 'emit' | 'signal'>;

/**
 * Brings the state schema up to date on a separate connection. Gives the names of the migrations that ran. Errors: those
 * of `migrate`.
 */
export async function migrateState(ledger: LedgerAt, work: MigrationWork): Promise<readonly string[]> {
  return withMigrationDatabase(ledger, work, async (database, options) =>
    // No lock when nothing is to do, as in most starts with --migrate.
    (await pendingMigrations(database)).length === 0 ? [] : migrate(database, options),
  );
}

/** Does `work` on a connection for migrations; what it waits for is a warning. Errors: those of `work`. */
export async function withMigrationDatabase<T>(
  ledger: LedgerAt,
  { emit, signal }: MigrationWork,
  work: (database: StateDatabase, options: MigrateOptions) => Promise<T>,
): Promise<T> {
  const database = createStateDatabase({ ...ledger, ...MIGRATION_DATABASE });
  database.endAfter(signal);
  try {
    return await work(database, { signal, onBlocked: (message) => emit({ type: 'warning', message }) });
  } finally {
    await database.close();
  }
}

/** The settings for a run: all of them, but only areas with a configured entity. */
export function runSettings({ settings, entities }: LoadedConfig): RunSettings {
  const areas = [...entities.keys()].map((name) => entityNamed(name).area);
  // Without the inbox nobody knows that a status was sent once its record is gone.
  const keepsStatuses = [...entities.values()].some(({ settings: block }) => block.requireInbox === false);
  return {
    ...settings,
    ...(keepsStatuses ? { state: { ...settings.state, statusRetentionMs: null } } : {}),
    areas: Object.fromEntries(
      areas.flatMap((area) => {
        const configured = areaSettings(settings.platform, area);
        return configured ? [[area, configured]] : [];
      }),
    ),
  };
}
