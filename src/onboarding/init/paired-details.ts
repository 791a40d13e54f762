import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import { PLACES } from './find-region.js';
import { findLinks } from './links.js';
import { columnOf, sqlOf } from './scope.js';
import { findStem, wordsOf } from './words.js';

/** Further down than all other tables that are made. */
const FIRST = -100_000;

/**
 * The catalogue with a child for each address book that a table of pairs joins to records of an entity: the addresses of
 * companies, by way of `company_address`.
 *
 * @param near tables that may be of an entity
 */
export function withPairedDetails(catalog: Catalog, near: ReadonlySet<number>): Catalog {
  const links = findLinks(catalog);
  const tables: CatalogTable[] = [];
  const tested = [...(catalog.tested ?? [])];
  for (const down of links.filter(({ to, from }) => near.has(to.oid) && !near.has(from.oid))) {
    if (down.guessed && !down.tested) continue;
    const up = links.find(
      ({ from, to, guessed, tested: share }) =>
        from.oid === down.from.oid &&
        to.oid !== down.to.oid &&
        !near.has(to.oid) &&
        (!guessed || share !== undefined) &&
        findStem(wordsOf(to.name), PLACES) >= 0 &&
        !isList(to, catalog),
    );
    const linking = columnOf(down.from, down.column);
    if (!up || !linking || !isPair(down.from)) continue;
    const name = `of_${down.column}`;
    const sqlName = `"${name.replaceAll('"', '""')}"`;
    const oid = FIRST - tables.length;
    tables.push({
      ...up.to,
      oid,
      sqlName: `(select p.${linking.sqlName} as ${sqlName}, d.* from ${down.from.sqlName} p join ${up.to.sqlName} d on d.${sqlOf(up.to, up.toColumn)} = p.${sqlOf(down.from, up.column)})`,
      comment: `${up.to.title} by way of ${down.from.comment ?? down.from.title}`,
      rows: null,
      exact: false,
      columns: [...up.to.columns, { ...linking, name, sqlName }],
      uniqueKeys: [],
      referencedBy: [],
      polymorphic: true,
    });
    tested.push({
      from: oid,
      column: name,
      to: down.to.oid,
      toColumn: down.toColumn,
      values: 1,
      found: 1,
      ...down.tested,
    });
  }
  return { ...catalog, tables: [...catalog.tables, ...tables], tested };
}

/** A list of places that others name: cities, branches of a chain. */
function isList(table: CatalogTable, { tables }: Catalog): boolean {
  return (
    table.columns.length < 4 ||
    tables.filter(({ foreignKeys }) => foreignKeys.some(({ to }) => to === table.oid)).length > 3
  );
}

/** Hardly more than its two ends. */
function isPair({ columns }: CatalogTable): boolean {
  return columns.length <= 8;
}
