import { PAY } from '../../entities/drafting/drafting.js';
import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import type { CodeSource, Condition, DraftJoin } from './draft-query.js';
import type { Link } from './links.js';
import { createScope, fullName, type Place, type Scope } from './scope.js';
import { columnSql } from './sql-text.js';
import { isAboutElse, isPersonalColumn, mayHoldPeople, mayNamePeople, wordsOf } from './words.js';

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
function labelJoin(place: Place, link: Link): { readonly alias: string; readonly join: DraftJoin } {
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

/** Names of columns that say whether a record is shown: a search for `status` and `deleted` finds hardly half of them. */
const SHOWN =
  /(discard|archiv|arsip|publi|activ|aktif|draft|draf|visib|confirm|konfirm|(^|_)type$|(^|_)tipe$|status|(^|_)state(_|$)|delet|hapu|tayang|approv|setuju|verif|enabl|hidden|hide|sembunyi|(^|_)clos(ed|e)|tutup|(^|_)open|(^|_)buka|block|blokir|suspend|bann|beku|moderat|expired|kadaluarsa|(^|_)live(_|$)|online|cancel|batal|inactive|valid|trash|void|stage|workflow|is_(company|employer|org|partner|provider|institution|test|demo|job|dummy|template)|kind|(^|_)test|(^|_)dummy|(^|_)demo|retired|withdrawn|filled|terisi|listed|searchable|blacklist|(^|_)on_hold|paused|unlist|sale_ok|frozen|removed|deactivat|is_show|ditampilkan|tampil|terbit|rilis|released?|launched|(^|_)flag|fl_|show|phase|fase|tahap|usage|(^|_)(role|class|step|outcome)(_|$)|hire|dissol|revok|called_off|struck|terminat|ended)/;
const DELETION =
  /(delet|hapu|discard|archiv|arsip|trash|cancel|batal|removed|void|withdrawn|retired|deactivat|suspend|blokir|beku|block|bann|hidden|hide|draft|clos|tutup|unpublish|inactive|blacklist|test|dummy|demo|template|paused|frozen|expired|kadaluarsa|dissol|revok|called_off|struck|terminat|ended|filled|terisi)/;
const TIMES = new Set(['date', 'timestamp', 'timestamptz']);

/**
 * Columns of a table that look as if they say whether a record is shown, deleted or over. A person decides what they
 * mean.
 *
 * @param used columns that already fill a column of the contract, except the last day
 */
export function findConditions(
  scope: Scope,
  place: Place,
  used: ReadonlySet<string>,
  lastDay: CatalogColumn | null,
): readonly Condition[] {
  const shown = place.table.columns.filter(
    (column) =>
      column.selectable &&
      column.name !== lastDay?.name &&
      !used.has(column.name) &&
      !mayHoldPeople(column) &&
      !namesPeople(scope, place, column.name) &&
      !place.table.primaryKey?.includes(column.name) &&
      !isOfPay(column.name) &&
      isFlag(column) &&
      !isAboutElse(column) &&
      !namesPlace(scope, place, column.name) &&
      (['boolean', 'enum'].includes(column.kind) ||
        column.checkValues !== null ||
        SHOWN.test(wordsOf(column.name).join('_'))),
  );
  const conditions = shown.map((column): Condition => {
    const link = scope.links.find(
      ({ from, column: name }) => from.oid === place.table.oid && name === column.name,
    );
    const label = link ? labelJoin(place, link) : null;
    const sql = columnSql(place.alias, column);
    return {
      column,
      sql,
      kind: DELETION.test(wordsOf(column.name).join('_')) ? 'deletion' : 'publication',
      labelSql: link && label ? labelSql({ table: link.to, alias: label.alias }) : null,
      joins: label ? [label.join] : [],
    };
  });
  const closing: Condition[] =
    lastDay && TIMES.has(lastDay.kind)
      ? [
          {
            column: lastDay,
            sql: columnSql(place.alias, lastDay),
            kind: 'closing',
            labelSql: null,
            joins: [],
          },
        ]
      : [];
  return [...conditions, ...closing];
}

/** Whether a column names a person: one of a table about people has no link. */
function namesPeople(scope: Scope, { table }: Place, column: string): boolean {
  const link = scope.links.find((each) => each.from.oid === table.oid && each.column === column);
  if (link) return mayNamePeople(link.to);
  return table.foreignKeys.some(({ columns }) => columns.join() === column);
}

/** A state that names a place is a province, and so is one beside a city or a postal code. */
function namesPlace(scope: Scope, { table }: Place, name: string): boolean {
  if (!/(^|_)state(_|$)/.test(wordsOf(name).join('_'))) return false;
  const link = scope.links.find(({ from, column }) => from.oid === table.oid && column === name);
  if (link) return isLargerPlace(link.to);
  const column = table.columns.find((each) => each.name === name);
  const address = table.columns.some((each) =>
    /^(city|kota|town|zip|zip_code|zipcode|postal_code|postcode|kode_po|country|negara)$/.test(
      wordsOf(each.name).join('_'),
    ),
  );
  return address && column?.kind === 'text' && wordsOf(name).join('_') === 'state';
}

function isLargerPlace({ name, columns }: CatalogTable): boolean {
  const has = (pattern: RegExp, of: string) => pattern.test(wordsOf(of).join('_'));
  return (
    has(/(^|_)(country|province|provinsi|region|place|location|geo)/, name) ||
    columns.some((column) => has(/(^|_)(country|country_id|iso_code|iso)$/, column.name))
  );
}

/** Whether pay is shown says nothing about the record; it is a notice of its own. */
function isOfPay(name: string): boolean {
  return new RegExp(`(^|_)${PAY}_`).test(`${wordsOf(name).join('_')}_`);
}

/** Long texts and numbers with fractions are no flags; of a text only the statistics could say, so it is asked. */
function isFlag({ kind, type, distinct }: CatalogColumn): boolean {
  if (['boolean', 'enum', 'integer'].includes(kind) || TIMES.has(kind)) return true;
  return (
    kind === 'text' && (distinct === null || (distinct >= 0 && distinct <= 50) || /\((1?\d|20)\)$/.test(type))
  );
}
