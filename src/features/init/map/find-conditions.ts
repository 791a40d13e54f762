import { type CatalogColumn, type CatalogTable, isTime } from '../../catalog/catalog.js';
import { type Link, linkOf } from '../links.js';
import { columnSql } from '../sql-text.js';
import { areStates, isFlagName, means } from '../states.js';
import { mayHoldPeople, mayNamePeople, plainName, wordsOf } from '../words.js';
import type { Condition } from './draft-query.js';
import { labelJoin } from './find-code.js';
import type { Place, Scope } from './scope.js';

/**
 * Columns of a table that look as if they say whether a record is shown or deleted: flags and times by their name, texts and
 * lists by their name or because their values are words of states. A person decides what they mean.
 *
 * @param used columns that already fill a column of the contract
 */
export function findConditions(
  scope: Scope,
  { table, alias }: Place,
  used: ReadonlySet<string>,
): readonly Condition[] {
  return table.columns.flatMap((column): Condition[] => {
    const { name, kind } = column;
    const link = linkOf(scope.links, table, name);
    const named = isFlagName(column);
    const isAsked =
      column.selectable &&
      !used.has(name) &&
      !table.primaryKey?.includes(name) &&
      !mayHoldPeople(column) &&
      !(link ? mayNamePeople(link.to) : isForeign(table, name)) &&
      (isTime(kind) || ['boolean', 'enum', 'integer', 'text'].includes(kind)) &&
      (named ||
        column.states === true ||
        areStates(column.enumLabels ?? column.checkValues ?? Object.values(column.meanings ?? {}))) &&
      !namesPlace(table, column, link);
    if (!isAsked) return [];
    const labels = link && labelJoin({ table, alias }, link);
    return [
      {
        column,
        sql: columnSql(alias, column),
        // Words of states say by themselves which rows are meant.
        kind: column.states === true ? 'publication' : means(name),
        labelSql: labels?.label ?? null,
        joins: labels ? [labels.join] : [],
        named,
      },
    ];
  });
}

/** One of a table about people has no link. */
function isForeign({ foreignKeys }: CatalogTable, column: string): boolean {
  return foreignKeys.some(({ columns }) => columns.join() === column);
}

/** A state that names a place is a province, and so is one beside a city or a postal code. */
function namesPlace(
  { columns }: CatalogTable,
  { name, kind }: CatalogColumn,
  link: Link | undefined,
): boolean {
  if (!wordsOf(name).includes('state')) return false;
  if (link)
    return [link.to.name, ...link.to.columns.map((column) => column.name)].some((each) =>
      /(^|_)(country|province|provinsi|region|place|location|geo|iso|iso_code)(_|$)/.test(plainName(each)),
    );
  return (
    plainName(name) === 'state' &&
    kind === 'text' &&
    columns.some((each) => ADDRESS.test(plainName(each.name)))
  );
}

const ADDRESS = /^(city|kota|town|zip|zip_code|zipcode|postal_code|postcode|kode_po|country|negara)$/;
