import { tenantLedger } from '../../../features/fleet/config/load-tenant.js';
import type { FleetVariables } from '../../../features/fleet/config/tenant-variables.js';
import type { EnvironmentVariables } from '../../../core/config/read-named-config.js';
import type { Emit } from '../../../core/domain/events.js';
import { groupBy } from '../../../core/domain/group-by.js';
import {
  currentSchemas,
  migrate,
  MIGRATION_DATABASE,
  pendingMigrations,
} from '../../../core/ledger/database/migrate.js';
import { createStateDatabase } from '../../../core/ledger/database/state-database.js';
import { asSyncError } from '../../../core/run/end.js';
import type { TenantSummary } from '../../../features/fleet/state/types.js';
import type { OpenedFleet } from './open-fleet.js';

/** Ledgers of one database at a time: each takes most of a core of its server. */
const AT_ONCE = 4;

const DATABASES_AT_ONCE = 8;

interface MigrateTenantsOptions extends Pick<OpenedFleet, 'tenants' | 'ledgers' | 'places'> {
  readonly variables: FleetVariables;
  readonly env: EnvironmentVariables;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly onDone: (done: number, total: number) => void;
}

interface MigratedTenants {
  /** Tenants whose ledger was changed. */
  readonly migrated: readonly string[];
  readonly upToDate: number;
  readonly failed: readonly { readonly tenant: string; readonly message: string }[];
}

/** A ledger at its address. */
interface Placed {
  readonly tenant: string;
  readonly url: string;
  readonly schema: string;
}

/**
 * Brings the ledger of every tenant up to date: those of each database several at a time, and several databases at the same time.
 * A database says of all its ledgers together which are up to date. A failure of one ledger or database does not hold up the
 * others, and what was done need not be done again.
 */
export async function migrateTenants(options: MigrateTenantsOptions): Promise<MigratedTenants> {
  const { tenants, ledgers, emit, signal, onDone } = options;
  const all = await tenants.list();
  const migrated: string[] = [];
  const failed: { tenant: string; message: string }[] = [];
  let upToDate = 0;
  const noteEnd = (count = 1): void => {
    upToDate += count;
    onDone(migrated.length + failed.length + upToDate, all.length);
  };
  const fail = (tenant: string, error: unknown): void => {
    failed.push({ tenant, message: asSyncError(error).message });
    noteEnd(0);
  };

  /** A lane has one connection for all its ledgers: a new one would read the catalogues of the database again. */
  const lane = async (url: string, left: Placed[]): Promise<void> => {
    const database = createStateDatabase({ url, schema: '', ...MIGRATION_DATABASE });
    const onBlocked = (message: string) => emit({ type: 'warning', message });
    try {
      for (let next = left.shift(); next && !signal.aborted; next = left.shift()) {
        const ledger = database.inSchema(next.schema);
        ledger.endAfter(signal);
        try {
          const isPending = (await pendingMigrations(ledger)).length > 0;
          const names = isPending ? await migrate(ledger, { signal, onBlocked }) : [];
          if (names.length > 0) migrated.push(next.tenant);
          noteEnd(names.length > 0 ? 0 : 1);
        } catch (error) {
          fail(next.tenant, error);
        } finally {
          await ledger.close();
        }
      }
    } finally {
      await database.close();
    }
  };
  const migrateDatabase = async (url: string, placed: readonly Placed[]): Promise<void> => {
    const shared = ledgers.at(url);
    let left = [...placed];
    if (shared) {
      try {
        const schemas = placed.map(({ schema }) => schema);
        const current = await ledgers.unlessDown(url, () => currentSchemas(shared, schemas));
        left = left.filter(({ schema }) => !current.has(schema));
        noteEnd(placed.length - left.length);
      } catch (error) {
        placed.forEach(({ tenant }) => fail(tenant, error));
        return;
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, () => lane(url, left)));
  };

  const placed: Placed[] = [];
  for (const summary of all)
    try {
      const found = await placeOf(summary, options);
      if (found) placed.push(found);
    } catch (error) {
      fail(summary.name, error);
    }
  const databases = [...groupBy(placed, ({ url }) => url)];
  const worker = async (): Promise<void> => {
    for (let next = databases.shift(); next && !signal.aborted; next = databases.shift())
      await migrateDatabase(...next);
  };
  await Promise.all(Array.from({ length: DATABASES_AT_ONCE }, worker));
  return { migrated, upToDate, failed };
}

/** Null: the tenant was removed meanwhile. Errors: as of `tenantLedger` and `FleetLedgers.urlOf`. */
async function placeOf(
  { name, schema, ledger }: TenantSummary,
  { tenants, places, variables, env }: MigrateTenantsOptions,
): Promise<Placed | null> {
  if (ledger !== null) return { tenant: name, schema, url: places.urlOf(ledger, name) };
  const found = await tenants.read(name);
  const its = found && tenantLedger(found.definition, { variables, env });
  return its?.url ? { tenant: name, schema, url: its.url } : null;
}
