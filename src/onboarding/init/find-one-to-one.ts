import type { CatalogTable } from '../catalog/catalog.js';
import { columnMatches } from './column-matches.js';
import type { Draftable } from './draftable.js';
import type { DraftColumn } from './draft-query.js';
import { findRegion, meaningsOf } from './find-region.js';
import type { Link } from './links.js';
import { coded, ownColumn } from './own-column.js';
import { createScope, type Place, type Scope } from './scope.js';

/** Share of the rows that name another row each. */
const NEARLY_ALL = 0.9;
/** Fewer rows are different by chance. */
const LEAST_ROWS = 5;
/** Names that are worth a column of another table. */
const ENOUGH = 5;
/** What the other row is called is not what the record is called. */
const OWN = new Set(['name', 'title']);

/**
 * Columns that the record's own table does not have, by way of a table that nearly each row names another row of: a company
 * whose address is kept with its partner.
 *
 * @param entities tables of all entities
 */
export function findOneToOne(
  scope: Scope,
  place: Place,
  entity: Draftable,
  missing: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const found: DraftColumn[] = [];
  for (const link of scope.links.filter((each) => isOneToOne(each, place.table, entities))) {
    const matches = columnMatches(entity, link.to, meaningsOf(link.to, scope.links)).filter(
      ({ target, score, column }) =>
        missing.has(target) &&
        !OWN.has(target) &&
        score >= ENOUGH &&
        column.selectable &&
        !found.some((each) => each.target === target),
    );
    const region = matches.find(({ target }) => target === 'region_id');
    const isHere = (within: Scope, at: Place) => coded('region_id', findRegion(within, at, region));
    // Tried in a scope of its own, so that a way that leads nowhere leaves no join.
    const located =
      missing.has('region_id') &&
      isHere(createScope('x', scope.links, scope.known), { table: link.to, alias: 'x' }) !== null;
    const plain = matches.filter(({ target }) => target !== 'region_id');
    if (plain.length === 0 && !located) continue;
    const there = scope.parent(place, link);
    found.push(...plain.map((match) => ownColumn(scope, there, match)));
    const city = located ? isHere(scope, there) : null;
    if (city) found.push(city);
  }
  return found;
}

function isOneToOne({ from, to, column }: Link, table: CatalogTable, entities: ReadonlySet<number>): boolean {
  if (from.oid !== table.oid || to.oid === from.oid || entities.has(to.oid)) return false;
  if ((from.rows ?? 0) < LEAST_ROWS) return false;
  const { distinct = null, nullShare = null } = from.columns.find(({ name }) => name === column) ?? {};
  const filled = 1 - (nullShare ?? 1);
  // Different values as a share of the rows: as many as rows have one.
  return distinct !== null && filled >= NEARLY_ALL && -distinct >= filled - 0.001;
}
