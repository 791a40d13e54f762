/** Names of columns that often say whether a record is published, or deleted. Tried on six public schemas. */
const FLAG = /status|state|deleted|discard|archiv|publish|activ|draft|visib|confirm|approv|(^|_)type$/i;
/** Names that have a flag's word and hold something else. */
const OTHER = /token|code|hash|password|secret|mail|phone|(^|_)by(_|$)|_id$/i;

/** Whether a column may say if a record is to be shown, by its name. Pure. */
export function looksLikeFlag(column: string): boolean {
  return FLAG.test(column) && !OTHER.test(column);
}

/** Whether a query names a column anywhere, also in a comment: whoever mentions it has seen it. Pure. */
export function mentions(sql: string, column: string): boolean {
  const name = column.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'i').test(sql);
}
