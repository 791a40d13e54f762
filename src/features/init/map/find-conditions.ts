import { type CatalogColumn, type CatalogTable, isTime } from '../../catalog/catalog.js';
import { linkOf } from '../links.js';
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
  const columns = table.columns.map(({ name }) => plainName(name)).join(' ');
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
      (named || hasStates(column)) &&
      !(link ? wordsOf(name).includes('state') && PLACES.test(link.to.name) : isProvince(column, columns));
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

function hasStates({ states, enumLabels, checkValues, meanings }: CatalogColumn): boolean {
  return states === true || areStates(enumLabels ?? checkValues ?? Object.values(meanings ?? {}));
}

/** One of a table about people has no link. */
function isForeign({ foreignKeys }: CatalogTable, column: string): boolean {
  return foreignKeys.some(({ columns }) => columns.join() === column);
}

/** A state is a province where it names one, or is a text beside a city or a postal code. */
function isProvince({ name, kind }: CatalogColumn, columns: string): boolean {
  return plainName(name) === 'state' && kind === 'text' && ADDRESS.test(columns);
}

const PLACES = /country|province|provinsi|region|place|location|geo/i;
const ADDRESS = /(^| )(city|kota|town|zip|zip_code|zipcode|postal_code|postcode|kode_po|country|negara)( |$)/;
