import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { ALIAS } from './column-sql.js';
import { isPersonalColumn } from './people.js';
import { literal } from './sql-text.js';

/** Keys of the objects in a JSON column, with the number of rows that have each, the most frequent first. */
export type JsonKeys = readonly { readonly key: string; readonly count: number }[];

/** What the JSON columns of a table hold. */
export interface Unfolded {
  readonly table: CatalogTable;
  /** Column, and its languages as they are taken. */
  readonly languages: readonly { readonly column: string; readonly keys: JsonKeys }[];
}

const LANGUAGE =
  /^(id|en|ms|jv|su|zh|ja|ko|de|fr|es|it|pt|nl|ar|ru|hi|th|vi|tl|pl|tr|sv|da|fi|nb|cs|el|he|hu|ro|uk|in)([_-][A-Za-z]{2,4})?$/;
/** Keys of an object that may be columns; a document of hundreds of keys is none. */
const MOST = 25;

/**
 * The table with its JSON columns opened: texts by language become one text, Indonesian first; the fields of an object
 * become columns of their own (`salary` with `min` is `salary_min`).
 */
export function unfoldJson(table: CatalogTable, keysOf: ReadonlyMap<string, JsonKeys>): Unfolded {
  const languages: { column: string; keys: JsonKeys }[] = [];
  const columns = table.columns.flatMap((column): CatalogColumn[] => {
    const keys = keysOf.get(column.name) ?? [];
    if (column.kind !== 'json' || keys.length === 0 || keys.length > MOST) return [column];
    if (keys.every(({ key }) => LANGUAGE.test(key))) {
      languages.push({ column: column.name, keys });
      return [{ ...column, kind: 'text', sqlName: inLanguages(column, keys) }];
    }
    return keys.filter(({ key }) => !isPersonalColumn(key)).map(({ key }) => field(column, key));
  });
  return { table: { ...table, columns }, languages };
}

function inLanguages({ sqlName }: CatalogColumn, keys: JsonKeys): string {
  const own = (key: string) => (/^(id|in)\b|^id_/i.test(key) ? 0 : /^en/i.test(key) ? 1 : 2);
  const sorted = [...keys].sort((a, b) => own(a.key) - own(b.key) || b.count - a.count);
  const texts = sorted.map(({ key }) => `${ALIAS}.${sqlName} ->> ${literal(key)}`);
  return texts.length === 1 ? `(${texts.join('')})` : `coalesce(${texts.join(', ')})`;
}

function field(column: CatalogColumn, key: string): CatalogColumn {
  return {
    ...column,
    name: `${column.name}_${key}`,
    sqlName: `(${ALIAS}.${column.sqlName} ->> ${literal(key)})`,
    type: 'text',
    kind: 'text',
    nullable: true,
    enumLabels: null,
    checkValues: null,
    distinct: null,
  };
}
