import { unaskedMatches } from './column-matches.js';
import { columnSql } from './column-sql.js';
import type { Draftable } from './draftable.js';
import type { DraftColumn, Offer } from './draft-query.js';
import { fullName, type Place } from './scope.js';

/** Columns that fill what nothing else fills, if a person says that they may. */
export function findOffers(
  entity: Draftable,
  { table, alias }: Place,
  columns: readonly DraftColumn[],
): readonly Offer[] {
  return unaskedMatches(entity, table)
    .filter(({ target }) => !columns.some((column) => column.target === target))
    .map(({ target, column, question }) => ({
      target,
      sql: columnSql(alias, column),
      from: fullName(table, column.name),
      question,
    }));
}
