import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { ALIAS } from './column-sql.js';
import { isPersonalColumn } from './people.js';
import { firstFilled, literal } from './sql-text.js';

/** A key of the objects in a JSON column, or of the objects in these. */
export interface JsonKey {
  readonly path: readonly [string] | readonly [string, string];
  /** As `jsonb_typeof` says of most values: `string`, `number`, `boolean`, `array`, `object`, `null`. */
  readonly type: string;
  /** Rows that have it. */
  readonly count: number;
}

/** The most frequent first. */
export type JsonKeys = readonly JsonKey[];

/** What the JSON columns of a table hold. */
export interface Unfolded {
  readonly table: CatalogTable;
  /** Columns with texts by language, and which. */
  readonly languages: readonly { readonly column: string; readonly keys: JsonKeys }[];
}

const LANGUAGE =
  /^(id|en|ms|jv|su|zh|ja|ko|de|fr|es|it|pt|nl|ar|ru|hi|th|vi|tl|pl|tr|sv|da|fi|nb|cs|el|he|hu|ro|uk|in)([_-][A-Za-z]{2,4})?$/;
/** Keys of an object that may be columns; a document of hundreds of keys is none. */
const MOST = 30;

/**
 * The table with its JSON columns opened: texts by language become one text, Indonesian first; the fields of an object
 * become columns of their own (`salary` with `min` is `salary_min`), also one level below.
 */
export function unfoldJson(table: CatalogTable, keysOf: ReadonlyMap<string, JsonKeys>): Unfolded {
  const languages: { column: string; keys: JsonKeys }[] = [];
  const columns = table.columns.flatMap((column): CatalogColumn[] => {
    const keys = keysOf.get(column.name) ?? [];
    const top = keys.filter(({ path }) => path.length === 1);
    if (column.kind !== 'json' || top.length === 0 || top.length > MOST) return [column];
    const own = `${ALIAS}.${column.sqlName}`;
    if (isByLanguage(top)) {
      languages.push({ column: column.name, keys: top });
      return [textOf(column, column.name, inLanguages(own, top))];
    }
    return top.flatMap((key) => opened(column, own, key, keys));
  });
  return { table: { ...table, columns }, languages };
}

function opened(
  column: CatalogColumn,
  own: string,
  { path: [key], type }: JsonKey,
  keys: JsonKeys,
): CatalogColumn[] {
  if (isPersonalColumn(key)) return [];
  const name = `${column.name}_${key}`;
  const inner = `${own} -> ${literal(key)}`;
  const below = keys.filter(({ path }) => path.length === 2 && path[0] === key);
  if (type === 'object' && below.length > 0) {
    if (isByLanguage(below)) return [textOf(column, name, inLanguages(inner, below))];
    return below.flatMap(({ path }): CatalogColumn[] => {
      const last = path.at(-1) ?? '';
      return isPersonalColumn(last)
        ? []
        : [textOf(column, `${name}_${last}`, `(${inner} ->> ${literal(last)})`)];
    });
  }
  if (type === 'array') return [{ ...textOf(column, name, `(${inner})`), kind: 'json', type: column.type }];
  return [textOf(column, name, `(${own} ->> ${literal(key)})`)];
}

function isByLanguage(keys: JsonKeys): boolean {
  return keys.every(
    ({ path, type }) => LANGUAGE.test(path.at(-1) ?? '') && type !== 'object' && type !== 'array',
  );
}

/** @param object SQL of the object */
function inLanguages(object: string, keys: JsonKeys): string {
  const own = (key: string) => (/^(id|in)\b|^id_/i.test(key) ? 0 : /^en/i.test(key) ? 1 : 2);
  const named = keys.map(({ path, count }) => ({ key: path.at(-1) ?? '', count }));
  const sorted = named.sort((a, b) => own(a.key) - own(b.key) || b.count - a.count);
  const texts = sorted.map(({ key }) => `${object} ->> ${literal(key)}`);
  return texts.length === 1 ? `(${texts.join('')})` : firstFilled(texts);
}

function textOf(column: CatalogColumn, name: string, sqlName: string): CatalogColumn {
  return {
    ...column,
    name,
    sqlName,
    type: 'text',
    kind: 'text',
    nullable: true,
    enumLabels: null,
    checkValues: null,
    distinct: null,
  };
}
