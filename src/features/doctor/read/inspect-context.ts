import type { Catalog, CatalogTable } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { DoctorEntity } from '../finding.js';
import type { NamedTable, QueryShape } from '../sql/query-shape.js';
import type { QuerySources } from '../sql/sources.js';

/** What every reader of an entity gets. */
export interface InspectContext {
  readonly read: ReadOnly;
  readonly entity: DoctorEntity;
  readonly shape: QueryShape;
  readonly sources: QuerySources;
  readonly catalog: Catalog;
  /** The table of the catalogue that a name of the query stands for; null: none. */
  readonly tableOf: (named: NamedTable) => CatalogTable | null;
}

/** The tables of the query under the role's search path, by the names that the query has for them. */
export async function readTables(
  read: ReadOnly,
  catalog: Catalog,
  { tables }: QuerySources,
): Promise<InspectContext['tableOf']> {
  const rows = await attempted<{ name: string; oid: string | null }>(
    read,
    `select n.name, cast(cast(pg_catalog.to_regclass(n.name) as pg_catalog.oid) as pg_catalog.text) as oid
     from pg_catalog.unnest(cast($1 as pg_catalog.text[])) as n(name)`,
    [tables.map(({ table }) => table.sql)],
  );
  const oids = new Map(rows.map(({ name, oid }) => [name.toLowerCase(), oid]));
  return ({ sql }) => catalog.tables.find(({ oid }) => String(oid) === oids.get(sql.toLowerCase())) ?? null;
}

/** Rows of a statement of which a refusal ends one fact and not the transaction. Errors: one with the server's cause. */
export async function attempted<T extends Record<string, unknown>>(
  read: Pick<ReadOnly, 'attempt'>,
  text: string,
  values?: readonly unknown[],
): Promise<readonly T[]> {
  const answer = await read.attempt<T>(text, values);
  if ('rows' in answer) return answer.rows;
  const { sqlstate, message } = answer.refused;
  throw new Error(
    sqlstate === '57014' ? 'it took too long' : `${withoutValue(sqlstate, message)} (${sqlstate})`,
  );
}

/** An error about data quotes a value of a row. */
function withoutValue(sqlstate: string, message: string): string {
  return sqlstate.startsWith('22') ? 'a value of some row does not fit the query' : message;
}

/** Conditions of a query, put together again. */
export function allOf(conditions: readonly string[]): string {
  return conditions.map((condition) => `(${condition}\n)`).join(' and ') || 'true';
}
