/** Names of columns that often say whether a record is published or deleted, in English and Indonesian. */
const FLAG =
  /(^|_)(status|state)(_|$)|deleted|discard|archiv|publish|(^|_)(in)?activ(e|ated?)|is_?activ|draft|visib|confirm|approv|verif|moderat|hidden|withdraw|revok|suspend|frozen|blacklist|cancel|(^|_)(stage|phase)(_|$)|aktif|tayang|terbit|tampil|hapus|publik|(^|_)type$/i;
/** Names that have a flag's word and hold something else. */
const OTHER = /token|code|hash|password|secret|mail|phone|path|url|(^|_)by(_|$)|_id$/i;

/** Whether a column may say if a record is to be shown, by its name. Pure. */
export function looksLikeFlag(column: string): boolean {
  return FLAG.test(column) && !OTHER.test(column);
}

/**
 * Whether a query names a column anywhere, also in a comment: whoever mentions it has seen it. Not where it only names a
 * result (`'open' as status`), and not the column of another table of the same FROM. Pure.
 */
export function mentions(
  sql: string,
  column: string,
  otherAliases: ReadonlySet<string> = new Set(),
): boolean {
  const name = column.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(\\bas\\s+)?(?:"?([\\w$]+)"?\\s*\\.\\s*)?"?(?<![\\w$])${name}(?![\\w$])`, 'gi');
  return [...sql.matchAll(pattern)].some(
    ([, as, qualifier]) => as === undefined && !otherAliases.has(qualifier?.toLowerCase() ?? ''),
  );
}
