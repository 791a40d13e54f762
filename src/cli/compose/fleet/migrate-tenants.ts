import type { EnvironmentVariables } from '../../../config/read-named-config.js';
import { tenantLedger } from '../../../config/fleet/load-tenant.js';
import type { FleetVariables } from '../../../config/fleet/tenant-variables.js';
import type { Emit } from '../../../domain/events.js';
import type { Tenants } from '../../../ports/tenants.js';
import { asSyncError } from '../../../sync/run/end.js';
import { pendingMigrations } from '../../../state/database/migrate.js';
import type { StateDatabase } from '../../../state/database/state-database.js';
import { migrateState } from '../migrate-state.js';

/** Ledgers migrated at a time. */
const AT_ONCE = 4;

export interface MigratedTenants {
  /** Tenants whose ledger was changed. */
  readonly migrated: readonly string[];
  readonly upToDate: number;
  readonly failed: readonly { readonly tenant: string; readonly message: string }[];
}

/**
 * Brings the ledger of every tenant up to date, several at a time. A failure of one does not hold up the others, and
 * what was done need not be done again.
 */
export async function migrateTenants(
  tenants: Tenants,
  options: {
    /** Where a ledger of this database is looked at without a connection of its own. */
    readonly shared: StateDatabase;
    readonly sharedUrl: string;
    readonly variables: FleetVariables;
    readonly env: EnvironmentVariables;
    readonly emit: Emit;
    readonly signal: AbortSignal;
    /** After each tenant. */
    readonly onDone: (done: number, total: number) => void;
  },
): Promise<MigratedTenants> {
  const { shared, sharedUrl, variables, env, emit, signal, onDone } = options;
  const all = await tenants.list();
  const left = [...all];
  const migrated: string[] = [];
  const failed: { tenant: string; message: string }[] = [];
  let upToDate = 0;
  const migrateOne = async (name: string): Promise<void> => {
    try {
      const found = await tenants.read(name);
      if (found === null) return;
      const { url, schema } = tenantLedger(found.definition, { variables, env });
      const isHere = url === null || url === sharedUrl;
      const isCurrent = isHere && (await pendingMigrations(shared.inSchema(schema))).length === 0;
      const ran = isCurrent ? [] : await migrateState({ url: url ?? sharedUrl, schema }, { emit, signal });
      if (ran.length > 0) migrated.push(name);
      else upToDate += 1;
    } catch (error) {
      failed.push({ tenant: name, message: asSyncError(error).message });
    }
  };
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next && !signal.aborted; next = left.shift()) {
      await migrateOne(next.name);
      onDone(all.length - left.length, all.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { migrated, upToDate, failed };
}
