import { ADDRESS, CITY, COUNTRY } from '../drafting/drafting.js';
import { type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { named } from '../draftables.js';
import { bareName, type Link, linksFrom } from '../links.js';
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
  const links = linksFrom(scope.links, place.table).filter(({ to }) => to.oid !== place.table.oid);
  const isFilled = (match?.column.nullShare ?? 0) <= MOSTLY_EMPTY;
  const own = isFilled ? links.find(({ column }) => column === match?.column.name) : undefined;
  if (match && isFilled && !own)
    return isLarger(match.column.name) ? null : codedColumn('region_id', scope, place, match.column);
  const ways = own ? [own] : links.filter(({ to, column }) => isPlace(scope, to.name, to.oid, column));
  for (const way of ways) {
    const column = columnOf(place.table, way.column);
    if (!column || isLarger(way.to.name)) continue;
    const further =
      isCity(scope, way.to) || depth === DEPTH
        ? null
        : findRegion(scope, scope.parent(place, way), cityIn(scope, way.to), depth + 1);
    if (further) return further;
    if (isCity(scope, way.to) || findStem(wordsOf(way.to.name), LISTS) >= 0)
      return codedColumn('region_id', scope, place, column);
  }
  return null;
}

const DEPTH = 2;
const MOSTLY_EMPTY = 0.5;

function isPlace(scope: Scope, name: string, oid: number, column: string): boolean {
  return scope.known.cities.has(oid) || [name, column].some((each) => findStem(wordsOf(each), ANY) >= 0);
}

/** The column of a place that is its city, or names one. What districts are called is no city. */
function cityIn(scope: Scope, table: CatalogTable): ColumnMatch | undefined {
  const links = linksFrom(scope.links, table);
  return columnMatches(PLACE, table, meaningsOf(table, scope.links)).find(({ target, column }) => {
    const link = links.find((each) => each.column === column.name);
    return (
      target === 'region_id' &&
      (link ? isCity(scope, link.to) : findStem(wordsOf(column.name), CITIES) >= 0) &&
      !table.primaryKey?.includes(column.name)
    );
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

/** By its name, or because its rows are cities. */
function isCity({ known }: Scope, { oid, name }: CatalogTable): boolean {
  return known.cities.has(oid) || findStem(wordsOf(name), CITIES) >= 0;
}

const CITIES = stems(
  'town, township, city, kota, kabupaten, kab, regency, municipality, kabkota, kabkot, kotum, dati2',
);
const ANY = [...CITIES, ...PLACES];

/** Of places, what is a list of them rather than of offices. */
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
