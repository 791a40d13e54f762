import type { CatalogColumn } from '../../catalog/catalog.js';
import { mayHoldPeople } from '../../init/people.js';

/** Names of columns that often say whether a record is published or deleted, in English and Indonesian. */
const FLAG =
  /(^|_)(status|state)(_|$)|deleted|discard|archiv|publish|(^|_)(in)?activ(e|ated?)|is_?activ|draft|visib|confirm|approv|verif|moderat|hidden|withdraw|revok|suspend|frozen|blacklist|cancel|(^|_)(stage|phase)(_|$)|aktif|tayang|terbit|tampil|hapus|publik|(^|_)type$/i;
/** Names that have a flag's word and hold something else. */
const OTHER = /token|code|hash|password|secret|mail|phone|path|url|(^|_)by(_|$)|_id$/i;

/** Whether a column may say if a record is to be shown, by its name. One with names of people is none. Pure. */
export function looksLikeFlag(column: Pick<CatalogColumn, 'name' | 'kind'>): boolean {
  return FLAG.test(column.name) && !OTHER.test(column.name) && !mayHoldPeople(column);
}

/** A condition that a draft offers, and that nobody has uncommented. */
const COMMENTED_OUT = /^[ \t]*--[ \t]*and\b.*$/gim;

/**
 * Whether a query names a column anywhere, also in a comment: whoever mentions it has seen it. Not where it only names a
 * result (`'open' as status`), not the column of another table of the same FROM, and not in a condition that is still
 * commented out. Pure.
 */
export function mentions(
  sql: string,
  column: string,
  otherAliases: ReadonlySet<string> = new Set(),
): boolean {
  const name = column.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const text = sql.replace(COMMENTED_OUT, '');
  return [...text.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'gi'))].some(({ index }) => {
    const [, as, qualifier] = IN_FRONT.exec(text.slice(Math.max(0, index - NEAR), index)) ?? [];
    return as === undefined && !otherAliases.has(qualifier?.toLowerCase() ?? '');
  });
}

/** `as`, and the table that a column belongs to. */
const IN_FRONT = /(\bas\s+)?(?:"?([\w$]+)"?\s*\.\s*)?"?$/i;
/** Characters in front of a name in which these are looked for: a query may have a long text in it. */
const NEAR = 200;
