import type { Catalog, CatalogTable } from './catalog.js';
import { countRows } from './count-rows.js';
import { readColumns } from './read-columns.js';
import { readConstraints } from './read-constraints.js';
import { readGuards } from './read-guards.js';
import { readServer } from './read-server.js';
import { readTables } from './read-tables.js';
import type { ReadOnly } from './with-read-only.js';

/**
 * Everything that the database says about its tables. Reads the catalogue, and counts rows; no value of any row.
 *
 * @param read a transaction of `withReadOnly`
 */
export async function readCatalog(read: ReadOnly): Promise<Catalog> {
  const [session] = await read.run<{ path: string; schemas: string[] }>(
    `select pg_catalog.current_setting('search_path') as path,
       cast(pg_catalog.current_schemas(false) as pg_catalog.text[]) as schemas`,
  );
  const { path = '', schemas = [] } = session ?? {};
  // Nothing of the partner's can stand in for a table or function of the catalogue, and types print with their schema.
  const searchIn = (value: string) =>
    read.run(`select pg_catalog.set_config('search_path', $1, true)`, [value]);
  await searchIn('pg_catalog, pg_temp');
  const server = await readServer(read);
  const tables = await readTables(read, schemas);
  const oids = tables.map(({ oid }) => oid);
  const columns = await readColumns(read, oids);
  const { foreignKeys, checks, domainValues, indexes } = await readConstraints(read, oids);
  const { triggers, policies } = await readGuards(read, oids);
  await searchIn(path);

  const counts = await countRows(read, tables);
  const complete = tables.map(({ estimate: _, ...table }): CatalogTable => {
    const ofTable = <T extends { readonly table: number }>(all: readonly T[]): readonly T[] =>
      all.filter((each) => each.table === table.oid);
    const own = ofTable(checks);
    const valuesOf = (column: string) =>
      own.find((check) => check.values !== null && check.columns[0] === column)?.values ??
      ofTable(domainValues).find((domain) => domain.column === column)?.values ??
      null;
    const keys = ofTable(indexes).filter(
      ({ unique, partial, columns: names }) => unique && !partial && !names.includes(null),
    );
    return {
      ...table,
      ...(counts.get(table.oid) ?? { rows: null, exact: false }),
      columns: ofTable(columns).map((column) => ({ ...column, checkValues: valuesOf(column.name) })),
      primaryKey: (keys.find(({ primary }) => primary)?.columns as readonly string[] | undefined) ?? null,
      uniqueKeys: keys.map(({ columns: names }) => names as readonly string[]),
      foreignKeys: foreignKeys.filter(({ from }) => from === table.oid),
      referencedBy: foreignKeys.filter(({ to }) => to === table.oid),
      indexes: ofTable(indexes),
      checks: own,
      triggers: ofTable(triggers),
      rowSecurity: { ...table.rowSecurity, policies: ofTable(policies) },
    };
  });
  return { server, tables: complete };
}
