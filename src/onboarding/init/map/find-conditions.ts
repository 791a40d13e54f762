import { PAY } from '../../../entities/drafting/drafting.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { columnSql } from '../sql-text.js';
import { isAboutElse, mayHoldPeople, mayNamePeople, wordsOf } from '../words.js';
import type { Condition } from './draft-query.js';
import { labelJoin, labelSql } from './find-code.js';
import type { Place, Scope } from './scope.js';

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

/** Names of columns that say whether a record is shown: a search for `status` and `deleted` finds hardly half of them. */
const SHOWN =
  /(discard|archiv|arsip|publi|activ|aktif|draft|draf|visib|confirm|konfirm|(^|_)type$|(^|_)tipe$|status|(^|_)state(_|$)|delet|hapu|tayang|approv|setuju|verif|enabl|hidden|hide|sembunyi|(^|_)clos(ed|e)|tutup|(^|_)open|(^|_)buka|block|blokir|suspend|bann|beku|moderat|expired|kadaluarsa|(^|_)live(_|$)|online|cancel|batal|inactive|valid|trash|void|stage|workflow|is_(company|employer|org|partner|provider|institution|test|demo|job|dummy|template)|kind|(^|_)test|(^|_)dummy|(^|_)demo|retired|withdrawn|filled|terisi|listed|searchable|blacklist|(^|_)on_hold|paused|unlist|sale_ok|frozen|removed|deactivat|is_show|ditampilkan|tampil|terbit|rilis|released?|launched|(^|_)flag|fl_|show|phase|fase|tahap|usage|(^|_)(role|class|step|outcome)(_|$)|hire|dissol|revok|called_off|struck|terminat|ended)/;

const DELETION =
  /(delet|hapu|discard|archiv|arsip|trash|cancel|batal|removed|void|withdrawn|retired|deactivat|suspend|blokir|beku|block|bann|hidden|hide|draft|clos|tutup|unpublish|inactive|blacklist|test|dummy|demo|template|paused|frozen|expired|kadaluarsa|dissol|revok|called_off|struck|terminat|ended|filled|terisi)/;

const TIMES = new Set(['date', 'timestamp', 'timestamptz']);

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
