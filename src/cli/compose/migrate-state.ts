import type { Emit } from '../../domain/events.js';
import { MIGRATION_DATABASE, migrate, migrateDown, pendingMigrations } from '../../state/database/migrate.js';
import { createStateDatabase } from '../../state/database/state-database.js';

/**
 * Brings the state schema up to date, or undoes its last migration, on a separate connection. Gives the names of the
 * migrations that ran. Errors: those of `migrate`.
 */
export async function migrateState(
  ledger: { readonly url: string; readonly schema: string },
  { emit, signal, down = false }: { emit: Emit; signal: AbortSignal; down?: boolean },
): Promise<readonly string[]> {
  const database = createStateDatabase({ ...ledger, ...MIGRATION_DATABASE });
  database.endAfter(signal);
  const onBlocked = (message: string) => emit({ type: 'warning', message });
  try {
    // No lock when nothing is to do, as in most starts with --migrate.
    if (!down && (await pendingMigrations(database)).length === 0) return [];
    return await (down ? migrateDown : migrate)(database, { signal, onBlocked });
  } finally {
    await database.close();
  }
}
