import type { CatalogTable } from '../../catalog/catalog.js';
import type { NamedTable, SelectShape } from '../sql/query-shape.js';
import { attempted, type InspectContext } from './inspect-context.js';

/** The text of the CTE or the subquery that is the base of a SELECT; undefined: it is neither. */
export function innerQuery(
  { baseSql }: Pick<SelectShape, 'baseSql'>,
  ctes: ReadonlyMap<string, string>,
): string | undefined {
  return subquery(baseSql) ?? ctes.get(/^\w+/.exec(baseSql)?.[0].toLowerCase() ?? '');
}

/** What stands between the parentheses of `( select … ) alias`. */
function subquery(sql: string): string | undefined {
  return /^\(([^]*)\)[^)]*$/.exec(sql)?.[1];
}

/** The table of the catalogue that a name stands for under the role's search path; null: none. */
export async function findTable(
  { read, catalog }: Pick<InspectContext, 'read' | 'catalog'>,
  { sql }: NamedTable,
): Promise<CatalogTable | null> {
  const [row] = await attempted<{ oid: string | null }>(
    read,
    `select cast(cast(pg_catalog.to_regclass($1) as pg_catalog.oid) as pg_catalog.text) as oid`,
    [sql],
  );
  return catalog.tables.find(({ oid }) => String(oid) === row?.oid) ?? null;
}
