import type { Emit } from '../../domain/events.js';
import {
  lossOfMigrateDown,
  migrate,
  migrateDown,
  type MigrateOptions,
  MIGRATION_DATABASE,
  type MigrationLoss,
  pendingMigrations,
} from '../../state/database/migrate.js';
import { createStateDatabase, type StateDatabase } from '../../state/database/state-database.js';

interface LedgerAt {
  readonly url: string;
  readonly schema: string;
}

interface MigrationWork {
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

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

/** What undoing the last migration would delete. Errors: those of `migrate`. */
export async function lossOfUndoing(ledger: LedgerAt, work: MigrationWork): Promise<MigrationLoss> {
  return withMigrationDatabase(ledger, work, lossOfMigrateDown);
}

/** Undoes the last migration, if it is still `only`. Gives the names that ran. Errors: those of `migrateDown`. */
export async function undoMigration(
  ledger: LedgerAt,
  only: string | null,
  work: MigrationWork,
): Promise<readonly string[]> {
  return withMigrationDatabase(ledger, work, (database, options) =>
    migrateDown(database, { ...options, only }),
  );
}

async function withMigrationDatabase<T>(
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
