import { columnSql } from './column-sql.js';
import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import type { CodeSource, DraftJoin } from './draft-query.js';
import type { Link } from './links.js';
import { isPersonalColumn, mayNamePeople } from './people.js';
import { createScope, fullName, type Place, type Scope } from './scope.js';
import { wordsOf } from './words.js';

/** The SQL of a code, and where its name stands. */
export interface FoundCode {
  readonly sql: string;
  readonly column: CatalogColumn;
  readonly from: string;
  readonly codes: CodeSource;
}

const CODE =
  /^(code|kode|kd|slug|bp|kode_bp|bp_code|iso|iso_code|iso2|abbr|short_code|symbol|.*_code|kode_.*|kd_.*)$/;
const LABEL =
  /^(name|nama|nm|label|title|judul|display_name|full_name|nama_.*|nm_.*|.*_name|.*_nama|keterangan|description|value|uraian|deskripsi|text|term)$/;
const SORT = /^(type|tipe|jenis|kind|is_city|jenis_wilayah|level_name|city_type|regency_type)$/;

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
