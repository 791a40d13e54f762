import type { LoadedFleet } from '../../../config/fleet/load-fleet.js';
import { SyncError } from '../../../domain/errors.js';
import type { Tenants } from '../../../ports/tenants.js';
import { FLEET_SETTINGS } from '../../../state/database/database-settings.js';
import { pendingMigrations } from '../../../state/database/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../../state/database/state-database.js';
import { FLEET_SCHEMA } from '../../../state/fleet/fleet-schema.js';
import { createTenants } from '../../../state/fleet/tenants.js';

/**
 * Transactions of one connection. Its server process remembers every table that it used, of every tenant, and forgets none:
 * a third of a megabyte for each ledger (`npm run bench -- --only fleet` shows the largest connection).
 */
const MAX_USES = 2_000;

/** The fleet's database, with the table of tenants. */
export interface OpenedFleet {
  readonly database: StateDatabase;
  readonly tenants: Tenants;
}

/**
 * Opens the fleet's database, checks its tables, does `work`, and closes it again. Errors: SyncError
 * `schema-not-migrated`, `state-unavailable`.
 */
export async function withFleet<T>(
  { settings }: LoadedFleet,
  work: (fleet: OpenedFleet) => Promise<T>,
): Promise<T> {
  const { database: at, schema } = settings.fleet;
  const database = createStateDatabase({ ...at, schema, maxUses: MAX_USES, settings: FLEET_SETTINGS });
  try {
    await checkTables(database);
    return await work({ database, tenants: createTenants(database) });
  } finally {
    await database.close();
  }
}

async function checkTables(database: StateDatabase): Promise<void> {
  const pending = await pendingMigrations(database, FLEET_SCHEMA);
  if (pending.length === 0) return;
  throw new SyncError(
    'schema-not-migrated',
    `The fleet's schema "${database.schema}" is not up to date: ${pending.join(', ')}.`,
    { scope: 'usage', hint: 'Run: placement-sync fleet migrate' },
  );
}
