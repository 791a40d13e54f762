import type { CatalogTable } from '../../catalog/catalog.js';
import { type NamedTable, type QueryShape, queryShape, type SelectShape } from '../sql/query-shape.js';
import { attempted, type InspectContext } from './inspect-context.js';

/**
 * The tables that a query takes its rows from, by its text. EXPLAIN cannot say it: a plan has every table that is read, in
 * an order of its own, without what FROM begins with; of a view it has the tables below, of a partitioned table its
 * partitions, and a table that the planner leaves out is not there at all.
 */

/** The tables behind FROM of each SELECT of the query, through its CTEs and subqueries. What is not certain is left out. */
export async function baseTables(context: InspectContext): Promise<readonly CatalogTable[]> {
  const named = basesOf(context.shape, context.shape.ctes, DEEPEST);
  const found = new Set<CatalogTable>();
  for (const table of named) {
    const known = await findTable(context, table);
    if (known) found.add(known);
  }
  return [...found];
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 4;

function basesOf(shape: QueryShape, ctes: ReadonlyMap<string, string>, deep: number): readonly NamedTable[] {
  if (deep === 0) return [];
  return shape.selects.flatMap((select) => {
    if (select.base !== null) return [select.base];
    const inner = innerQuery(select, ctes);
    return inner === undefined
      ? []
      : basesOf(queryShape(inner), new Map([...ctes, ...queryShape(inner).ctes]), deep - 1);
  });
}

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
