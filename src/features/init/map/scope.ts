import { type CatalogTable, columnOf, isTime } from '../../catalog/catalog.js';
import { bareName, keyColumns, type Link, linkQuestion } from '../links.js';
import { freeAlias, qualified, sqlOf } from '../sql-text.js';
import type { DraftJoin } from './draft-query.js';

/**
 * A draft grows join by join. The scope gives each joined table its alias and joins it once, whoever asks: a parent
 * by the key that the record names, a child as a group with one row for each record.
 */

/** A table under its alias, inside of one draft. */
export interface Place {
  readonly table: CatalogTable;
  readonly alias: string;
}

/** What a look at rows said about tables, by oid. */
export interface KnownTables {
  /** Lists of cities, whatever they are called. */
  readonly cities: ReadonlySet<number>;
}

export const NOTHING_KNOWN: KnownTables = { cities: new Set() };

/** The joins of one draft while it grows. Each parent and child is joined once. */
export type Scope = ReturnType<typeof createScope>;

export function createScope(base: string, links: readonly Link[], known: KnownTables = NOTHING_KNOWN) {
  const joins: DraftJoin[] = [];
  const taken = new Set([base]);
  const alias = (name: string): string => {
    const free = freeAlias(bareName(name), taken);
    taken.add(free);
    return free;
  };
  return {
    links,
    known,
    joins: (): readonly DraftJoin[] => joins,
    /** An alias that is not used yet, of the first letters of a name: for tables inside of a group. */
    short: (name: string): string =>
      alias(
        bareName(name)
          .split('_')
          .map((word) => word.charAt(0))
          .join(''),
      ),
    /** Joins the table that a column of `place` names. */
    parent(place: Place, link: Link): Place {
      const { column, to, toColumn, guessed } = link;
      const condition = (as: string) =>
        `${qualified(to, as, toColumn)} = ${qualified(place.table, place.alias, column)}`;
      const same = joins.find((join) => join.kind === 'parent' && join.on === condition(join.alias));
      if (same) return { table: to, alias: same.alias };
      const own = alias(to.name);
      joins.push({
        kind: 'parent',
        alias: own,
        table: to.sqlName,
        on: condition(own),
        comment: guessed ? linkQuestion(link) : null,
      });
      return { table: to, alias: own };
    },
    /** Adds a grouped child of `place`. Gives its alias. */
    child(place: Place, { column, from, toColumn }: Link, group: Group): string {
      const own = alias(from.name);
      const groupName = sqlOf(from, column);
      joins.push({
        ...group,
        kind: 'child',
        alias: own,
        groupBy: `${group.alias}.${groupName}`,
        on: `${own}.${groupName} = ${qualified(place.table, place.alias, toColumn)}`,
      });
      return own;
    },
  };
}

/** What a group of child rows gives; `alias`: of the child inside. */
type Group = Pick<Extract<DraftJoin, { kind: 'child' }>, 'alias' | 'from' | 'picks' | 'comment'>;

/** `hr.job.closes_at` */
export function fullName(table: CatalogTable, column: string): string {
  return `${table.schema === 'public' ? '' : `${table.schema}.`}${table.name}.${column}`;
}

/** The key of a record: its columns joined by `:`, without times, which change. Null: the table has none. */
export function keySql({
  table,
  alias,
}: Place): { readonly sql: string; readonly columns: readonly string[] } | null {
  const columns = (keyColumns(table) ?? []).filter((name) => !isTime(columnOf(table, name)?.kind ?? 'other'));
  if (columns.length === 0) return null;
  return { sql: columns.map((name) => qualified(table, alias, name)).join(` || ':' || `), columns };
}
