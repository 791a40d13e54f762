import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import type { Link } from '../links.js';
import type { ColumnMatch } from '../rank/column-matches.js';
import { columnSql } from '../sql-text.js';
import { isPersonalColumn, mayNamePeople, wordsOf } from '../words.js';
import type { CodeSource, DraftColumn, DraftJoin } from './draft-query.js';
import { createScope, fullName, type Place, type Scope } from './scope.js';

/**
 * A column of a joined table as a line of the select list. A code is the column's own value, or where it names a
 * list with codes of its own, the code that stands there; the names of codes are joined for the lookup only.
 */

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

/** The SQL of a code, and where its name stands. */
export interface FoundCode {
  readonly sql: string;
  readonly column: CatalogColumn;
  readonly from: string;
  readonly codes: CodeSource;
}

/** The code of a column: its own value, or where it names a table with codes of its own, that code. */
export function findCode(scope: Scope, place: Place, column: CatalogColumn): FoundCode {
  const link = scope.links.find(
    ({ from, column: name }) => from.oid === place.table.oid && name === column.name,
  );
  const own = columnSql(place.alias, column);
  if (!link) {
    const id = fullName(place.table, column.name);
    return {
      sql: own,
      column,
      from: id,
      codes: { id: sharedId(column, id), labelSql: null, joins: [], allowed: allowedOf(column) },
    };
  }
  const code = codeColumn(link.to);
  const from = fullName(place.table, column.name);
  if (code && code.name !== link.toColumn) {
    const looked = scope.parent(place, link);
    return {
      sql: columnSql(looked.alias, code),
      column: code,
      from,
      codes: { id: fullName(link.to, code.name), labelSql: labelSql(looked), joins: [], allowed: [] },
    };
  }
  const { alias, join } = labelJoin(place, link);
  const label = labelSql({ table: link.to, alias });
  return {
    sql: own,
    column,
    from,
    codes: {
      id: fullName(link.to, link.toColumn),
      labelSql: label,
      joins: label === null ? [] : [join],
      allowed: [],
    },
  };
}

/** An enum has one set of values, wherever it is used. */
function sharedId(column: CatalogColumn, id: string): string {
  return column.enumLabels === null ? id : `type ${column.type}`;
}

function allowedOf(column: CatalogColumn): readonly string[] {
  return column.enumLabels ?? column.checkValues ?? [];
}

/** The column with the codes that people use; null: it has none. */
function codeColumn(table: CatalogTable): CatalogColumn | null {
  const fit = table.columns.filter(
    ({ name, kind, selectable }) =>
      selectable && ['text', 'integer', 'enum'].includes(kind) && CODE.test(wordsOf(name).join('_')),
  );
  const unique = (column: CatalogColumn) =>
    table.uniqueKeys.some((columns) => columns.length === 1 && columns[0] === column.name) ? 0 : 1;
  const parents = (column: CatalogColumn) =>
    table.foreignKeys.some(({ columns }) => columns.includes(column.name)) ? 1 : 0;
  const [best] = fit
    .filter((column) => parents(column) === 0 && (unique(column) === 0 || !column.nullable))
    .sort((a, b) => unique(a) - unique(b));
  return best ?? null;
}

const CODE =
  /^(code|kode|kd|slug|bp|kode_bp|bp_code|iso|iso_code|iso2|abbr|short_code|symbol|.*_code|kode_.*|kd_.*)$/;

/** A join for names only, outside of the query. */
export function labelJoin(place: Place, link: Link): { readonly alias: string; readonly join: DraftJoin } {
  const own = createScope(place.alias, []);
  const { alias } = own.parent(place, {
    ...link,
    guessed: false,
    to: { ...link.to, name: `${link.to.name}_name` },
  });
  const [join] = own.joins();
  if (join === undefined) throw new Error('a scope forgot its join');
  return { alias, join };
}

/** SQL of the name of a row of a list, with its sort before it: `Kota Bogor` is not `Kabupaten Bogor`. Null: it has none to read. */
export function labelSql({ table, alias }: Place): string | null {
  if (mayNamePeople(table)) return null;
  const readable = table.columns.filter(({ name, selectable }) => selectable && !isPersonalColumn(name));
  const label =
    readable.find(
      ({ name, kind }) => ['text', 'json', 'enum'].includes(kind) && LABEL.test(wordsOf(name).join('_')),
    ) ?? readable.find(({ name, kind }) => kind === 'text' && !table.primaryKey?.includes(name));
  if (!label) return null;
  const text =
    label.kind === 'json'
      ? `(select string_agg(distinct t.value, ' / ' order by t.value) from jsonb_each_text(case when jsonb_typeof(${columnSql(alias, label)}::jsonb) = 'object' then ${columnSql(alias, label)}::jsonb end) t)`
      : `${columnSql(alias, label)}${label.kind === 'enum' ? '::text' : ''}`;
  const sort = readable.find(
    ({ name, kind }) => ['text', 'enum'].includes(kind) && SORT.test(wordsOf(name).join('_')),
  );
  const city = /city|kota|kabupaten|regency|kab|wilayah|region|district/.test(wordsOf(table.name).join('_'));
  return sort && city && sort !== label ? `concat_ws(' ', ${columnSql(alias, sort)}, ${text})` : text;
}

const LABEL =
  /^(name|nama|nm|label|title|judul|display_name|full_name|nama_.*|nm_.*|.*_name|.*_nama|keterangan|description|value|uraian|deskripsi|text|term)$/;

const SORT = /^(type|tipe|jenis|kind|is_city|jenis_wilayah|level_name|city_type|regency_type)$/;
