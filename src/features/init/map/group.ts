import { type CatalogColumn, type CatalogTable, columnOf, isUnique } from '../../catalog/catalog.js';
import type { Link } from '../links.js';
import { columnSql, qualified } from '../sql-text.js';
import { isReadable, plainName } from '../words.js';
import type { Place } from './scope.js';

/** Which of several rows below a record stands for all: Indonesian before other languages, the main one, the first. */

/** ORDER BY of the rows of a record. */
export function orderSql({ table, alias }: Place): string {
  const [language, main] = [languageOf(table), mainOf(table)];
  const keys = table.primaryKey ?? table.columns.slice(0, 2).map(({ name }) => name);
  return [
    ...(language ? [`(${columnSql(alias, language)}::text ilike 'id%') desc`] : []),
    ...(main ? [`${columnSql(alias, main)} desc nulls last`] : []),
    ...keys.map((name) => qualified(table, alias, name)),
  ].join(', ');
}

/** The question that the order asks. Null: a record has one row there. */
export function orderQuestion({ from: table, column }: Link): string | null {
  const [language, main] = [languageOf(table), mainOf(table)];
  if (language) return `decide: ${table.name} has texts by ${language.name}; this takes Indonesian first`;
  if (isUnique(table, column) || (columnOf(table, column)?.distinct ?? 0) === -1) return null;
  const which = main ? `the main one by ${main.name}` : 'the first by its key';
  return `decide: a record may have several rows in ${table.name}; this takes ${which}`;
}

function languageOf({ columns }: CatalogTable): CatalogColumn | undefined {
  return columns.find(({ name }) => LANGUAGE.test(plainName(name)));
}

const LANGUAGE = /^(lang|language|locale|bahasa|language_code|lang_code|locale_code|kode_bahasa)$/;

function mainOf({ columns }: CatalogTable): CatalogColumn | undefined {
  return columns.find(
    (column) =>
      isReadable(column) &&
      (column.kind === 'boolean' || column.name.startsWith('is_')) &&
      MAIN.test(plainName(column.name)),
  );
}

const MAIN =
  /(^|_)(main|primary|utama|default|pusat|head|hq|ho|induk|principal|lead|registered|owner|host)(_|$)/;
