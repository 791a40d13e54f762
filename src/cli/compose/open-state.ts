import type { LoadedConfig } from '../../config/load.js';
import { SyncError } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import type { State } from '../../ports/state.js';
import { createState } from '../../state/create-state.js';
import { appliedMigrations, pendingMigrations } from '../../state/database/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../state/database/state-database.js';
import { migrateState } from './migrate-state.js';

export interface OpenedState extends State {
  readonly database: StateDatabase;
}

/**
 * Connects to the state database and checks its schema; `migrate` updates it first. After `signal`, no statement takes
 * long.
 * Errors: SyncError `schema-not-migrated`, `state-unavailable`.
 */
export async function openState(
  config: LoadedConfig,
  options: { migrate?: { emit: Emit; signal: AbortSignal } | undefined; signal?: AbortSignal } = {},
): Promise<OpenedState> {
  const { settings, webhookStatement } = config;
  const database = createStateDatabase(settings.state);
  try {
    if (options.migrate) await migrateState(config.settings.state, options.migrate);
    await checkSchema(database);
    if (options.signal) database.endAfter(options.signal);
    const inbox = { statement: webhookStatement, timeZone: settings.platform.timeZone };
    return { ...createState(database, inbox), database };
  } catch (error) {
    await database.close();
    throw error;
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
    { scope: 'usage', hint: 'Run: placement-sync migrate (run and start also take --migrate).' },
  );
}
