import type { CatalogTable } from '../catalog/catalog.js';
import { columnMatches } from './column-matches.js';
import type { Draftable } from './draftable.js';
import type { DraftColumn } from './draft-query.js';
import { findInChildren } from './find-children.js';
import { findOneToOne } from './find-one-to-one.js';
import { findRegion, meaningsOf } from './find-region.js';
import { coded, ownColumn } from './own-column.js';
import { createScope, type Place, type Scope } from './scope.js';

/** The parent's table, and how it is joined: null where it cannot be. */
export interface ParentTable {
  readonly entity: Draftable;
  readonly table: CatalogTable;
  readonly join: () => Place | null;
}

/**
 * Columns of a record by way of its parent, each with a line to decide. A parent that has none of them is not joined.
 *
 * @param entities tables of all entities
 */
export function takeFromParent(
  scope: Scope,
  { entity, table, join }: ParentTable,
  targets: readonly string[],
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const matches = columnMatches(entity, table, meaningsOf(table, scope.links));
  return targets.flatMap((target) => {
    const match = matches.find((each) => each.target === target);
    const find = (within: Scope, place: Place): DraftColumn | null => {
      if (target !== 'region_id') return match ? ownColumn(within, place, match) : null;
      return (
        coded(target, findRegion(within, place, match)) ??
        findInChildren(within, place, entity, new Set([target]), entities)[0] ??
        findOneToOne(within, place, entity, new Set([target]), entities)[0] ??
        null
      );
    };
    // Tried in a scope of its own, so that a parent without it leaves no join.
    if (find(createScope('x', scope.links, scope.known), { table, alias: 'x' }) === null) return [];
    const above = join();
    const found = above ? find(scope, above) : null;
    return found ? [{ ...found, comments: [`decide: ${target} of its ${entity.entity.noun.one}`] }] : [];
  });
}
