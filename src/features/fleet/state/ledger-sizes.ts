import type { StateDatabase } from '../../../core/ledger/database/state-database.js';

/** Bytes on disk of the ledgers in these schemas of one database, with indexes and long values. A schema without tables is left out. */
export async function ledgerSizes(
  database: Pick<StateDatabase, 'query'>,
  schemas: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ schema: string; bytes: number }>(
    `select n.nspname as schema, cast(sum(pg_total_relation_size(c.oid)) as double precision) as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any(cast(:schemas as text[])) and c.relkind = 'r' group by n.nspname`,
    { schemas },
  );
  return new Map(rows.map(({ schema, bytes }) => [schema, bytes]));
}
