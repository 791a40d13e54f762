import type { LoadedFleet } from '../../../config/fleet/load-fleet.js';
import { SyncError } from '../../../domain/errors.js';
import type { SharedRates, Tenants } from '../../../ports/tenants.js';
import { FLEET_SETTINGS } from '../../../state/database/translate-state-error.js';
import { pendingMigrations } from '../../../state/database/migrate.js';
import {
  createStateDatabase,
  type StateDatabase,
  type StateDatabaseOptions,
} from '../../../state/database/state-database.js';
import { createTenants, FLEET_SCHEMA } from '../../../state/fleet/tenants.js';
import { createSharedRates } from '../../../state/shared-rates.js';

/**
 * Transactions of one connection. Its server process remembers every table that it used, of every tenant, and forgets none:
 * a third of a megabyte for each ledger (`npm run bench -- --only fleet` shows the largest connection).
 */
const MAX_USES = 2_000;

/** Connections of one ledger at a time: its lease is renewed beside one long statement. */
const LEDGER_SHARE = 2;

/**
 * Connections for ledgers beyond one for each slot. `fleet migrate` may lock four ledgers at once, and the statements of each
 * keep two connections then; the other tenants still have one each.
 */
const LEDGERS_EXTRA = 4;

/** A reading is made once for all who look, so it needs one connection. */
const LOOKING = { poolMax: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 3_000 } as const;

/**
 * The fleet's database. Each part has connections of its own, opened when needed: neither a ledger that is locked nor
 * somebody who looks may hold up the others.
 */
export interface OpenedFleet {
  /** The fleet's own tables. */
  readonly database: StateDatabase;
  readonly tenants: Tenants;
  /** For the ledgers of tenants (`inSchema`); one of them cannot take all connections. */
  readonly ledgers: StateDatabase;
  /** The tables of tenants and of pauses, for probes, metrics and pages. */
  readonly looking: Pick<Tenants, 'list'> & Pick<SharedRates, 'pauses'>;
}

/**
 * Opens the fleet's database, checks its tables, does `work`, and closes it again. Errors: SyncError
 * `schema-not-migrated`, `state-unavailable`.
 */
export async function withFleet<T>(
  { settings }: LoadedFleet,
  work: (fleet: OpenedFleet) => Promise<T>,
): Promise<T> {
  const { database: at, schema, slots, largeSlots } = settings.fleet;
  const open = (limits: Partial<StateDatabaseOptions>) =>
    createStateDatabase({ ...at, schema, maxUses: MAX_USES, settings: FLEET_SETTINGS, ...limits });
  const database = open({});
  const ledgers = open({ poolMax: slots + largeSlots + LEDGERS_EXTRA, poolShare: LEDGER_SHARE });
  const looking = open(LOOKING);
  try {
    await checkTables(database);
    return await work({
      ...{ database, ledgers },
      tenants: createTenants(database),
      looking: { list: createTenants(looking).list, pauses: createSharedRates(looking).pauses },
    });
  } finally {
    await Promise.all([database, ledgers, looking].map((each) => each.close()));
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
