import { PAY } from '../../../entities/drafting/drafting.js';
import { type CatalogColumn, type CatalogTable, isTime } from '../../catalog/catalog.js';
import { type Link, linkOf } from '../links.js';
import { columnSql } from '../sql-text.js';
import { isAboutElse, mayHoldPeople, mayNamePeople, plainName } from '../words.js';
import type { Condition, DraftColumn } from './draft-query.js';
import { labelJoin } from './find-code.js';
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
  ending: Pick<DraftColumn, 'column' | 'sql'> | undefined,
): readonly Condition[] {
  const { table, alias } = place;
  const lastDay = ending?.column ?? null;
  const conditions = table.columns.flatMap((column): Condition[] => {
    const { name, kind } = column;
    const plain = plainName(name);
    const link = linkOf(scope.links, table, name);
    const isShown =
      column.selectable &&
      name !== lastDay?.name &&
      !used.has(name) &&
      !mayHoldPeople(column) &&
      !(link ? mayNamePeople(link.to) : isForeign(table, name)) &&
      !table.primaryKey?.includes(name) &&
      !OF_PAY.test(`${plain}_`) &&
      isFlag(column) &&
      !isAboutElse(column) &&
      !namesPlace(table, column, link) &&
      (['boolean', 'enum'].includes(kind) ||
        column.checkValues !== null ||
        column.states === true ||
        SHOWN.test(plain)) &&
      !(isTime(kind) && ENDING.test(plain) && OF_A_PAPER.test(plain));
    if (!isShown) return [];
    const named = link && labelJoin(place, link);
    return [
      {
        column,
        sql: columnSql(alias, column),
        kind: kindOf(column, plain),
        labelSql: named?.label ?? null,
        joins: named ? [named.join] : [],
      },
    ];
  });
  if (ending && lastDay && isTime(lastDay.kind))
    conditions.push({
      column: lastDay,
      sql: ending.sql,
      kind: 'closing',
      labelSql: null,
      joins: [],
    });
  return conditions;
}

/** What ends is compared the other way round than what begins. */
function kindOf({ kind, states }: CatalogColumn, plain: string): Condition['kind'] {
  if (isTime(kind) && ENDING.test(plain) && !/delet|hapu|archiv|discard/.test(plain)) return 'closing';
  // Words of states say by themselves which rows are meant.
  return DELETION.test(plain) && states !== true ? 'deletion' : 'publication';
}

const ENDING =
  /expir|kadaluarsa|valid_(to|until|thru|through)|until|sampai|berakhir|berlaku|(^|_)(end|ends)(_|$)/;
/** A licence that is over says nothing about the record. */
const OF_A_PAPER =
  /licen[cs]e|lisensi|izin|siup|nib|permit|contract|kontrak|certificate|sertifikat|token|subscription/;

/** Names of columns that say whether a record is shown: a search for `status` and `deleted` finds hardly half of them. */
const SHOWN =
  /(discard|archiv|arsip|publi|activ|aktif|draft|draf|visib|confirm|konfirm|(^|_)type$|(^|_)tipe$|status|(^|_)state(_|$)|delet|hapu|tayang|approv|setuju|verif|enabl|hidden|hide|sembunyi|(^|_)clos(ed|e)|tutup|(^|_)open|(^|_)buka|block|blokir|suspend|bann|beku|moderat|expired|kadaluarsa|(^|_)live(_|$)|online|cancel|batal|inactive|valid|trash|void|stage|workflow|is_(company|employer|org|partner|provider|institution|test|demo|job|dummy|template)|kind|(^|_)test|(^|_)dummy|(^|_)demo|retired|withdrawn|filled|terisi|listed|searchable|blacklist|(^|_)on_hold|paused|unlist|sale_ok|frozen|removed|deactivat|is_show|ditampilkan|tampil|terbit|rilis|released?|launched|(^|_)flag|fl_|show|phase|fase|tahap|usage|(^|_)(role|class|step|outcome)(_|$)|(^|_)(pub|actv|act|akt|vis|stat|st|sts|kondisi)(_|$)|hire|dissol|revok|called_off|struck|terminat|ended)/;

const DELETION =
  /(delet|hapu|discard|archiv|arsip|trash|cancel|batal|removed|void|withdrawn|retired|deactivat|suspend|blokir|beku|block|bann|hidden|hide|draft|clos|tutup|unpublish|inactive|blacklist|test|dummy|demo|template|paused|frozen|expired|kadaluarsa|dissol|revok|called_off|struck|terminat|ended|filled|terisi)/;

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
  const plain = plainName(name);
  if (!/(^|_)state(_|$)/.test(plain)) return false;
  if (link) return isLargerPlace(link.to);
  return plain === 'state' && kind === 'text' && columns.some((each) => ADDRESS.test(plainName(each.name)));
}

const ADDRESS = /^(city|kota|town|zip|zip_code|zipcode|postal_code|postcode|kode_po|country|negara)$/;

function isLargerPlace({ name, columns }: CatalogTable): boolean {
  return (
    /(^|_)(country|province|provinsi|region|place|location|geo)/.test(plainName(name)) ||
    columns.some((column) => /(^|_)(country|country_id|iso_code|iso)$/.test(plainName(column.name)))
  );
}

/** Whether pay is shown says nothing about the record; it is a notice of its own. */
const OF_PAY = new RegExp(`(^|_)${PAY}_`);

/** Long texts and numbers with fractions are no flags; of a text only the statistics could say, so it is asked. */
function isFlag({ kind, type, distinct }: CatalogColumn): boolean {
  if (['boolean', 'enum', 'integer'].includes(kind) || isTime(kind)) return true;
  return (
    kind === 'text' && (distinct === null || (distinct >= 0 && distinct <= 50) || /\((1?\d|20)\)$/.test(type))
  );
}
