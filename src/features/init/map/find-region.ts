import { ADDRESS, CITY, COUNTRY } from '../drafting/drafting.js';
import { type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { named } from '../draftables.js';
import { bareName, type Link, linkOf, linksFrom } from '../links.js';
import { type ColumnMatch, columnMatches, type Known } from '../rank/column-matches.js';
import { findStem, PLACES, stems, wordsOf } from '../words.js';
import type { DraftColumn } from './draft-query.js';
import { codedColumn } from './find-code.js';
import type { Place, Scope } from './scope.js';

/**
 * The city of a record: a column, the list that it names, or by way of its district or address. Null: none is found
 * in the table and what it names.
 *
 * @param match the column that is called like a region; undefined: none is
 */
export function findRegion(
  scope: Scope,
  place: Place,
  match: ColumnMatch | undefined,
  depth = 0,
): DraftColumn | null {
  if (depth > DEPTH) return null;
  const links = linksFrom(scope.links, place.table);
  const named = links.find(({ column }) => column === match?.column.name);
  if (match && !named)
    return isLarger(match.column.name) ? null : codedColumn('region_id', scope, place, match.column);
  const ways = named
    ? [named]
    : links.filter(
        ({ to, column }) => isCity(scope, to) || isPlace(to) || findStem(wordsOf(column), PLACES) >= 0,
      );
  for (const way of ways) {
    if (isLarger(way.to.name)) continue;
    const column = columnOf(place.table, way.column);
    if (!column) continue;
    const city = isCity(scope, way.to);
    // Asked in a scope of its own, so that a way that leads nowhere leaves no join.
    const further = city ? undefined : citiesIn(scope, way.to);
    if (further || (!city && isPlace(way.to) && leadsOn(scope, way.to)))
      return findRegion(scope, scope.parent(place, way), further, depth + 1);
    if (city || findStem(wordsOf(way.to.name), LISTS) >= 0)
      return codedColumn('region_id', scope, place, column);
  }
  return null;
}

const DEPTH = 3;

/** A column of a place that is its city. */
function citiesIn(scope: Scope, table: CatalogTable): ColumnMatch | undefined {
  const matches = columnMatches(PLACE, table, meaningsOf(table, scope.links));
  return matches.find(({ target, column }) => {
    if (target !== 'region_id') return false;
    const link = linkOf(scope.links, table, column.name);
    return link
      ? isCity(scope, link.to)
      : findStem(wordsOf(column.name), CITIES) >= 0 &&
          !table.primaryKey?.includes(column.name) &&
          !isPlaceOnly(table);
  });
}

/** What columns of a place are known by, whatever it is a place of. */
const PLACE: Known = {
  targets: [ADDRESS, CITY, COUNTRY].map(named),
  sure: [],
  prefixes: [],
  parentWords: [],
  fromParent: [],
};

/** A list of districts has names of its own, which are no cities. */
function isPlaceOnly(table: CatalogTable): boolean {
  return (
    findStem(wordsOf(table.name), stems('district, kecamatan, village, kelurahan, desa')) >= 0 &&
    table.columns.length < 4
  );
}

function leadsOn(scope: Scope, table: CatalogTable): boolean {
  return linksFrom(scope.links, table).some(
    ({ to }) => to.oid !== table.oid && (isCity(scope, to) || isPlace(to)) && !isLarger(to.name),
  );
}

/** By its name, or because its rows are cities. */
function isCity({ known }: Scope, { oid, name }: CatalogTable): boolean {
  return known.cities.has(oid) || findStem(wordsOf(name), CITIES) >= 0;
}

const CITIES = stems(
  'town, township, city, kota, kabupaten, kab, regency, municipality, town, kabkota, kabkot, kotum, dati2',
);

function isPlace({ name }: CatalogTable): boolean {
  return findStem(wordsOf(name), PLACES) >= 0;
}

/** Of these, what is a list of places rather than of offices. */
const LISTS = stems('location, lokasi, district, kecamatan, wilayah, region, area, place');

function isLarger(name: string): boolean {
  const words = wordsOf(name);
  return findStem(words, LARGER) >= 0 && findStem(words, CITIES) < 0;
}

/** Larger than a city. */
const LARGER = stems(
  'province, provinsi, propinsi, state, country, negara, nation, island, pulau, continent',
);

/** Names of the tables that the columns of a table name. */
export function meaningsOf(
  table: CatalogTable,
  links: readonly Link[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(linksFrom(links, table).map(({ column, to }) => [column, [bareName(to.name)]]));
}
