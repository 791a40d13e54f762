import { SyncError } from '../../domain/errors.js';
import type { StateDatabase } from './state-database.js';

/**
 * Which copy of the state database this is: the server's own number and its timeline, which a fail-over and a restore to
 * a point in time change; the database and the table `lease`, which a restored dump creates again. Null: the server
 * does not show it, because its users may not call such functions.
 */
export async function readOrigin(database: StateDatabase): Promise<string | null> {
  try {
    const [row] = await database.query<{ origin: string | null }>(
      `select concat_ws('/', (select system_identifier from pg_control_system()),
         substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
         (select oid from pg_database where datname = current_database()),
         cast(to_regclass(:lease) as oid)) as origin`,
      { lease: `"${database.schema.replaceAll('"', '""')}".lease` },
    );
    return row?.origin ?? null;
  } catch (error) {
    if (error instanceof SyncError && error.code === 'state-failed') return null;
    throw error;
  }
}
