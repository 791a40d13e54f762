import { skillCodeSql } from '../../../core/contract/doubts.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { type Link, linkOf } from '../links.js';
import type { ColumnMatch } from '../rank/column-matches.js';
import { columnSql } from '../sql-text.js';
import { isPersonalColumn, isReadable, mayNamePeople, plainName } from '../words.js';
import { type DraftColumn, draftColumn, type DraftJoin, ownCodes } from './draft-query.js';
import { createScope, fullName, type Place, type Scope } from './scope.js';

/**
 * A column of a joined table as a line of the select list. A code is the column's own value, or where it names a
 * list with codes of its own, the code that stands there; the names of codes are joined for the lookup only.
 */

/** A line of the select list for a column of a table that is joined already. */
export function ownColumn(scope: Scope, place: Place, match: ColumnMatch): DraftColumn {
  const { target, kind, column, score } = match;
  if (kind === 'code' && column.kind !== 'array')
    return { ...codedColumn(target, scope, place, column), score };
  const from = fullName(place.table, column.name);
  const personal = kind === 'person' || isPersonalColumn(column.name);
  const sql = wholeSql(columnSql(place.alias, column), match);
  const line = draftColumn({ target, kind, sql, column, from, score, personal });
  if (kind !== 'code') return { ...line, comments: madeOf(column) };
  const comments = ['decide: it is a list; this takes the first'];
  return { ...line, codes: ownCodes(from, column.enumLabels ?? []), comments };
}

/** What the draft makes of a stored value is a question. */
function madeOf({ made }: CatalogColumn): readonly string[] {
  return made === undefined ? [] : [`decide: ${made}`];
}

/** A list of texts is one text, a list of skills one of codes; of several telephone numbers the first is taken. */
function wholeSql(sql: string, { kind, column }: ColumnMatch): string {
  const isArray = column.kind === 'array';
  const values =
    column.kind === 'json'
      ? `jsonb_array_elements_text(case when jsonb_typeof(${sql}::jsonb) = 'array' then ${sql}::jsonb end) e(value)`
      : `unnest(${isArray ? sql : `regexp_split_to_array(${sql}, '[,;|\\n]')`}) e(value)`;
  if (kind === 'list')
    return `array(select distinct ${skillCodeSql('e.value::text')} from ${values} order by 1)`;
  if (kind === 'text' && column.kind === 'json') return `(select string_agg(e.value, E'\\n') from ${values})`;
  if (!isArray) return sql;
  return kind === 'text' ? `array_to_string(${sql}, E'\\n')` : `${sql}[1]`;
}

/** A line of the select list for a code: the column's own value. What it is called is joined for the lookup only. */
export function codedColumn(target: string, scope: Scope, place: Place, column: CatalogColumn): DraftColumn {
  const from = fullName(place.table, column.name);
  const sql = columnSql(place.alias, column);
  const line = { target, kind: 'code', sql, column, from, comments: madeOf(column) } as const;
  const link = linkOf(scope.links, place.table, column.name);
  if (!link) {
    // An enum has one set of values, wherever it is used.
    const id = column.enumLabels === null ? from : `type ${column.type}`;
    return draftColumn({ ...line, codes: ownCodes(id, column.enumLabels ?? column.checkValues ?? []) });
  }
  const { label, join } = labelJoin(place, link);
  const codes = ownCodes(fullName(link.to, link.toColumn));
  return draftColumn({
    ...line,
    codes: label === null ? codes : { ...codes, labelSql: label, joins: [join] },
  });
}

/** A join for names only, outside of the query, and the SQL of the name; null: it has none to read. */
export function labelJoin(
  place: Place,
  link: Link,
): { readonly label: string | null; readonly join: DraftJoin } {
  const own = createScope(place.alias, []);
  const { alias } = own.parent(place, {
    ...link,
    guessed: false,
    to: { ...link.to, name: `${link.to.name}_name` },
  });
  const [join] = own.joins();
  if (join === undefined) throw new Error('a scope forgot its join');
  return { label: labelSql({ table: link.to, alias }), join };
}

/** SQL of the name of a row of a list, with its sort before it: `Kota Bogor` is not `Kabupaten Bogor`. Null: it has none to read. */
export function labelSql({ table, alias }: Place): string | null {
  if (mayNamePeople(table)) return null;
  const label = labelColumn(table);
  if (!label) return null;
  const own = columnSql(alias, label);
  const text =
    label.kind === 'json'
      ? `(select string_agg(distinct t.value, ' / ' order by t.value) from jsonb_each_text(case when jsonb_typeof(${own}::jsonb) = 'object' then ${own}::jsonb end) t)`
      : labelText(own, label);
  const sort = table.columns.find(
    (column) =>
      isReadable(column) && ['text', 'enum'].includes(column.kind) && SORT.test(plainName(column.name)),
  );
  const city = /city|kota|kabupaten|regency|kab|wilayah|region|district/.test(plainName(table.name));
  return sort && city && sort !== label ? `concat_ws(' ', ${columnSql(alias, sort)}, ${text})` : text;
}

/** What the rows of a list are called by. `link`: a column that it is not. Undefined: it has none to read. */
export function labelColumn(table: CatalogTable, link?: string): CatalogColumn | undefined {
  const texts = table.columns.filter(
    (column) => isReadable(column) && ['text', 'json', 'enum'].includes(column.kind) && column.name !== link,
  );
  return (
    texts.find(({ name }) => LABEL.test(plainName(name))) ??
    texts.find(({ name, kind }) => kind === 'text' && !table.primaryKey?.includes(name))
  );
}

/** In one language: Indonesian before all others. */
export function labelText(sql: string, { kind }: CatalogColumn): string {
  if (kind === 'text') return sql;
  if (kind !== 'json') return `${sql}::text`;
  return `(select t.value from jsonb_each_text(${sql}::jsonb) t order by (t.key ilike 'id%') desc, t.key limit 1)`;
}

const LABEL =
  /^(name|nama|nm|label|title|judul|display_name|full_name|nama_.*|nm_.*|.*_name|.*_nama|skill|keahlian|tag|keterampilan|kompetensi|keterangan|description|value|uraian|deskripsi|text|term)$/;

const SORT = /^(type|tipe|jenis|kind|is_city|jenis_wilayah|level_name|city_type|regency_type)$/;
