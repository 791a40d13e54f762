import { readCatalog } from '../catalog/read-catalog.js';
import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import type { Candidate } from './candidate.js';
import { DRAFTABLES } from './draftable.js';
import { withImpliedParents } from './implied-parents.js';
import { linkCandidates } from './link-candidates.js';
import { measureColumns } from './measure-columns.js';
import { withPolymorphic } from './look-at-polymorphic.js';
import { withPairedDetails } from './paired-details.js';
import { isListOfPeople } from './people.js';
import { rankTables } from './rank-tables.js';
import { testLinks } from './test-links.js';

/** Tables of an entity that are looked at closer. */
const CLOSER = 4;

/**
 * What the database says about its tables, and what a bounded look at the values of the likeliest ones adds: how far
 * columns are filled, and which columns name other tables although no foreign key says so.
 */
export async function lookAtDatabase(read: ReadOnly): Promise<Catalog> {
  const catalog = await readCatalog(read);
  const measured = await measureLikely(read, catalog, likeliest(rankTables(catalog)));
  const ranking = rankTables(measured);
  const first = likeliest(ranking);
  const isOpen = (table: CatalogTable) => table.selectable && !isListOfPeople(table, first.has(table.oid));
  const likely = (entity: string) =>
    (ranking.get(entity) ?? []).flatMap(({ table }) => (isOpen(table) ? [table] : []));
  const near = new Set([...ranking.values()].flat().map(({ table }) => table.oid));
  const pairs = DRAFTABLES.flatMap(({ name, entity }) =>
    entity.parent === null
      ? []
      : likely(name)
          .slice(0, CLOSER)
          .map((child) => ({ child, parents: likely(entity.parent?.entity ?? '') })),
  );
  const known = measured.tables.filter(isOpen);
  const tested = await testLinks(read, linkCandidates(known, near, pairs));
  return withImpliedParents(
    withPairedDetails(await withPolymorphic(read, { ...measured, tested }, near), near),
  );
}

function likeliest(ranking: ReadonlyMap<string, readonly Candidate[]>): ReadonlySet<number> {
  const candidates = [...ranking.values()].flatMap((some) => some.slice(0, CLOSER));
  return new Set(candidates.map(({ table }) => table.oid));
}

/** The likeliest tables, and what they name, with measured columns. */
async function measureLikely(
  read: ReadOnly,
  catalog: Catalog,
  likely: ReadonlySet<number>,
): Promise<Catalog> {
  const named = catalog.tables
    .filter(({ oid }) => likely.has(oid))
    .flatMap(({ foreignKeys }) => foreignKeys.map(({ to }) => to));
  const closer = new Set([...likely, ...named]);
  const tables: CatalogTable[] = [];
  for (const table of catalog.tables)
    tables.push(
      closer.has(table.oid) && table.selectable && !isListOfPeople(table, likely.has(table.oid))
        ? await measureColumns(read, table)
        : table,
    );
  return { ...catalog, tables };
}
