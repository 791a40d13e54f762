import type { LoadedConfig } from '../../config/load.js';
import { SyncError } from '../../domain/errors.js';
import type { State } from '../../ports/state.js';
import { createState } from '../../state/create-state.js';
import { migrate, pendingMigrations } from '../../state/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../state/state-database.js';

export interface OpenedState extends State {
  readonly database: StateDatabase;
}

/**
 * Connects to the state database and makes sure of its schema. After `signal` no statement takes long.
 * Errors: SyncError `schema-not-migrated`, `state-unavailable`.
 */
export async function openState(
  { settings, webhookStatement }: LoadedConfig,
  options: { migrate?: boolean; signal?: AbortSignal } = {},
): Promise<OpenedState> {
  const database = createStateDatabase(settings.state);
  try {
    const pending = await pendingMigrations(database);
    if (pending.length > 0 && options.migrate) await migrate(database);
    else if (pending.length > 0) {
      throw new SyncError(
        'schema-not-migrated',
        `The state schema "${settings.state.schema}" is not up to date: ${pending.join(', ')}.`,
        {
          scope: 'usage',
          hint: 'Run: placement-sync migrate (or pass --migrate).',
        },
      );
    }
    if (options.signal) database.endAfter(options.signal);
    const inbox = { statement: webhookStatement, timeZone: settings.platform.timeZone };
    return { ...createState(database, inbox), database };
  } catch (error) {
    await database.close();
    throw error;
  }
}
