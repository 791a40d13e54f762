import { escapeIdentifier } from 'pg';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { bareName, guessKey, type Link, linkQuestion } from '../links.js';
import { columnSql, freeAlias } from '../sql-text.js';
import type { DraftJoin, GroupedColumn } from './draft-query.js';

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
  /** Tables with one row for each attribute of a record. */
  readonly attributes: ReadonlySet<number>;
}

export const NOTHING_KNOWN: KnownTables = { cities: new Set(), attributes: new Set() };

/** The joins of one draft while it grows. Each parent and child is joined once. */
export interface Scope {
  readonly links: readonly Link[];
  readonly known: KnownTables;
  readonly joins: () => readonly DraftJoin[];
  /** Joins the table that a column of `place` names. */
  readonly parent: (place: Place, link: Link) => Place;
  /** Adds a grouped child of `place`. Gives its alias. */
  readonly child: (
    place: Place,
    link: Link,
    group: {
      readonly from: readonly string[];
      readonly alias: string;
      readonly picks: readonly GroupedColumn[];
      readonly comment: string | null;
    },
  ) => string;
  /** An alias that is not used yet. */
  readonly alias: (name: string) => string;
  /** The same, of the first letters of its words: for tables inside of a group. */
  readonly short: (name: string) => string;
}

export function createScope(base: string, links: readonly Link[], known: KnownTables = NOTHING_KNOWN): Scope {
  const joins: DraftJoin[] = [];
  const taken = new Set([base]);
  const alias = (name: string) => {
    const free = freeAlias(bareName(name), taken);
    taken.add(free);
    return free;
  };
  return {
    links,
    known,
    joins: () => joins,
    alias,
    short: (name) =>
      alias(
        bareName(name)
          .split('_')
          .map((word) => word.charAt(0))
          .join(''),
      ),
    parent(place, link) {
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
    child(place, { column, from, toColumn }, group) {
      const own = alias(from.name);
      joins.push({
        kind: 'child',
        alias: own,
        from: group.from,
        groupBy: `${group.alias}.${sqlOf(from, column)}`,
        groupName: sqlOf(from, column),
        picks: group.picks,
        on: `${own}.${sqlOf(from, column)} = ${qualified(place.table, place.alias, toColumn)}`,
        comment: group.comment,
      });
      return own;
    },
  };
}

/** SQL of a column under an alias. */
export function qualified(table: CatalogTable, alias: string, column: string): string {
  return columnSql(alias, { sqlName: sqlOf(table, column) });
}

/** How SQL has to write a column. */
export function sqlOf(table: CatalogTable, column: string): string {
  return columnOf(table, column)?.sqlName ?? escapeIdentifier(column);
}

export function columnOf(table: CatalogTable, column: string): CatalogColumn | undefined {
  return table.columns.find(({ name }) => name === column);
}

/** `hr.job.closes_at` */
export function fullName(table: CatalogTable, column: string): string {
  return `${table.schema === 'public' ? '' : `${table.schema}.`}${table.name}.${column}`;
}

/** The key of a record: its columns joined by `:`. Null: the table has none. */
export function keySql({
  table,
  alias,
}: Place): { readonly sql: string; readonly columns: readonly string[] } | null {
  const guessed = guessKey(table);
  const columns = table.primaryKey ?? (guessed === null ? null : [guessed]);
  if (columns === null) return null;
  const parts = columns.map((name) => qualified(table, alias, name));
  return { sql: parts.length === 1 ? (parts[0] ?? '') : parts.join(` || ':' || `), columns };
}
