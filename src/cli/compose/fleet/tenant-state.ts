import type { LoadedConfig } from '../../../config/load.js';
import type { State } from '../../../ports/state.js';
import { appliedMigrations } from '../../../state/database/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../../state/database/state-database.js';
import { createState } from '../../../state/create-state.js';
import { migrateState } from '../migrate-state.js';
import { checkSchema } from '../open-state.js';
import type { Emit } from '../../../domain/events.js';

export interface TenantStateOptions {
  readonly config: LoadedConfig;
  /** Connections to the fleet's database, which most ledgers share. */
  readonly shared: StateDatabase;
  readonly sharedUrl: string;
  /** Whether no run of the tenant has succeeded: otherwise a ledger that is not there is one that was lost. */
  readonly isNew: boolean;
  readonly emit: Emit;
  /** When it aborts, no statement of this tenant may take long; those of others go on. */
  readonly signal: AbortSignal;
}

/**
 * A tenant's ledger: in the fleet's database a schema on the replica's pool for ledgers, elsewhere a pool of its own for
 * this run. The ledger of a new tenant gets its tables; an older one waits for `fleet migrate`, because its tables may be in
 * use. Errors: SyncError `schema-not-migrated`, `state-unavailable`.
 */
export async function withTenantState<T>(
  { config, shared, sharedUrl, isNew, emit, signal }: TenantStateOptions,
  work: (state: State) => Promise<T>,
): Promise<T> {
  const { state: settings } = config.settings;
  const database =
    settings.url === sharedUrl ? shared.inSchema(settings.schema) : createStateDatabase(settings);
  try {
    if (isNew && (await appliedMigrations(database)).length === 0)
      await migrateState(config.settings.state, { emit, signal });
    await checkSchema(database);
    database.endAfter(signal);
    const inbox = { statement: config.webhookStatement, timeZone: config.settings.platform.timeZone };
    return await work(createState(database, inbox));
  } finally {
    await database.close();
  }
}
