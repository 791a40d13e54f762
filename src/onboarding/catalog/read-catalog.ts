import type { Catalog, CatalogTable } from './catalog.js';
import { countRows, estimates } from './count-rows.js';
import { groupedBy } from './grouped-by.js';
import { keptTables } from './kept-tables.js';
import { readColumns } from './read-columns.js';
import { readConstraints } from './read-constraints.js';
import { readGuards } from './read-guards.js';
import { readServer } from './read-server.js';
import { readTables, type BareTable } from './read-tables.js';
import { SEARCH_PATH, type ReadOnly } from './with-read-only.js';

export interface CatalogOptions {
  /** False: rows are estimates of the statistics. */
  readonly counted?: boolean;
  /** Of a database with very many tables, those that are needed wherever they are. */
  readonly isNamed?: (table: BareTable) => boolean;
}

/**
 * Everything that the database says about its tables. Reads the catalogue, and counts rows; no value of any row.
 *
 * @param read a transaction of `withReadOnly`
 */
export async function readCatalog(
  read: ReadOnly,
  { counted = true, isNamed = () => false }: CatalogOptions = {},
): Promise<Catalog> {
  const schemas = await readSearchPath(read);
  const server = await readServer(read);
  const { kept: tables, leftOut } = keptTables(await readTables(read, schemas), schemas, isNamed);
  const oids = tables.map(({ oid }) => oid);
  const columns = await readColumns(read, oids);
  const { foreignKeys, checks, domainValues, indexes } = await readConstraints(read, oids);
  const { triggers, policies } = await readGuards(read, oids);

  const counts = counted ? await countRows(read, tables) : estimates(tables);
  const byTable = <T extends { readonly table: number }>(all: readonly T[]) =>
    groupedBy(all, ({ table }) => table);
  const columnsOf = byTable(columns);
  const checksOf = byTable(checks);
  const domainsOf = byTable(domainValues);
  const indexesOf = byTable(indexes);
  const triggersOf = byTable(triggers);
  const policiesOf = byTable(policies);
  const keysFrom = groupedBy(foreignKeys, ({ from }) => from);
  const keysTo = groupedBy(foreignKeys, ({ to }) => to);
  const complete = tables.map(({ estimate: _, ...table }): CatalogTable => {
    const { oid } = table;
    const own = checksOf(oid);
    const valuesOf = (column: string) =>
      own.find((check) => check.values !== null && check.columns[0] === column)?.values ??
      domainsOf(oid).find((domain) => domain.column === column)?.values ??
      null;
    const keys = indexesOf(oid).filter(
      ({ unique, partial, columns: names }) => unique && !partial && !names.includes(null),
    );
    return {
      ...table,
      ...(counts.get(oid) ?? { rows: null, exact: false }),
      columns: columnsOf(oid).map((column) => ({ ...column, checkValues: valuesOf(column.name) })),
      primaryKey: (keys.find(({ primary }) => primary)?.columns as readonly string[] | undefined) ?? null,
      uniqueKeys: keys.map(({ columns: names }) => names as readonly string[]),
      foreignKeys: keysFrom(oid),
      referencedBy: keysTo(oid),
      indexes: indexesOf(oid),
      checks: own,
      triggers: triggersOf(oid),
      rowSecurity: { ...table.rowSecurity, policies: policiesOf(oid) },
    };
  });
  return { server, tables: complete, leftOut };
}

/** Schemas in which a session of the role finds names. Afterwards names are found in `pg_catalog` only, as before. */
async function readSearchPath(read: ReadOnly): Promise<readonly string[]> {
  await read.run(SEARCH_PATH.ofRole);
  const [session] = await read.run<{ schemas: string[] }>(
    'select cast(pg_catalog.current_schemas(false) as pg_catalog.text[]) as schemas',
  );
  await read.run(SEARCH_PATH.catalog);
  return session?.schemas ?? [];
}
