import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { ResultColumn } from '../facts.js';

/** Names and types of what the query returns. Errors: those of pg. */
export async function readResultColumns(read: ReadOnly, from: string): Promise<readonly ResultColumn[]> {
  const fields = await read.describe(`select * from ${from} limit 0`);
  const rows = await read.run<{ oid: string; type: string }>(
    `select cast(t.oid as pg_catalog.text) as oid, pg_catalog.format_type(t.oid, null) as type
     from pg_catalog.pg_type t where t.oid operator(pg_catalog.=) any (cast($1 as pg_catalog.oid[]))`,
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  );
  const types = new Map(rows.map(({ oid, type }) => [Number(oid), type]));
  return fields.map(({ name, dataTypeID }) => ({ name, type: types.get(dataTypeID) ?? 'unknown' }));
}
