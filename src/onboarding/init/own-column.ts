import type { ColumnMatch } from './column-match.js';
import { columnSql } from './column-sql.js';
import type { DraftColumn } from './draft-query.js';
import { findCode, type FoundCode } from './find-codes.js';
import { isPersonalColumn } from './people.js';
import { fullName, type Place, type Scope } from './scope.js';

/** A line of the select list for a column of a table that is joined already. */
export function ownColumn(scope: Scope, place: Place, match: ColumnMatch): DraftColumn {
  if (match.kind === 'code' && match.column.kind !== 'array') {
    const found = coded(match.target, findCode(scope, place, match.column));
    if (found) return found;
  }
  return {
    target: match.target,
    kind: match.kind,
    sql: wholeSql(place, match),
    column: match.column,
    from: fullName(place.table, match.column.name),
    personal: match.kind === 'person' || isPersonalColumn(match.column.name),
    codes:
      match.kind === 'code'
        ? {
            id: fullName(place.table, match.column.name),
            labelSql: null,
            joins: [],
            allowed: match.column.enumLabels ?? [],
          }
        : null,
    comments:
      match.kind === 'code' && match.column.kind === 'array'
        ? ['decide: it is a list; this takes the first']
        : [],
  };
}

/** A list of texts is one text; of several telephone numbers the first is taken. */
function wholeSql(place: Place, { kind, column }: ColumnMatch): string {
  const sql = columnSql(place.alias, column);
  if (column.kind !== 'array') return sql;
  return kind === 'text' ? `array_to_string(${sql}, E'\\n')` : `${sql}[1]`;
}

/** A line of the select list for a code. */
export function coded(target: string, found: FoundCode | null): DraftColumn | null {
  if (!found) return null;
  return {
    target,
    kind: 'code',
    sql: found.sql,
    column: found.column,
    from: found.from,
    personal: false,
    codes: found.codes,
    comments: [],
  };
}
