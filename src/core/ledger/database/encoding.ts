import type { StateDatabase } from './state-database.js';
import { UTF8_HINT } from './translate-state-error.js';

/**
 * Why a database cannot hold a ledger, and what to do; null: it can. In another encoding than UTF8 one emoji
 * in a name ends every run. A ledger that is already there goes on, because its names have fitted so far.
 */
export async function encodingFault(
  database: Pick<StateDatabase, 'query'>,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  const [row] = await database.query<{ name: string; encoding: string }>(
    `select pg_catalog.current_database() as name, pg_catalog.current_setting('server_encoding') as encoding`,
  );
  if (row === undefined || row.encoding === 'UTF8') return null;
  const message = `The database "${row.name}" has the encoding ${row.encoding}. A ledger needs UTF8: else one name with a sign that ${row.encoding} does not have, such as an emoji, stops every run.`;
  return { message, hint: UTF8_HINT };
}
