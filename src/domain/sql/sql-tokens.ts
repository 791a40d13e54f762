/** What stands in a text of SQL outside of comments and blanks. Offsets are UTF-16 positions in the text. */
export interface SqlToken {
  /** `open` is a literal, quoted name or comment that never ends. */
  readonly kind: 'word' | 'literal' | 'parameter' | 'semicolon' | 'open' | 'other';
  readonly start: number;
  readonly end: number;
}

const BLANK = /[\s\uFEFF]+/y;
const LINE_COMMENT = /--[^\r\n]*/y;
const WORD = /[A-Za-z_\u0080-\uFEFE\uFF00-\uFFFF][\w$\u0080-\uFFFF]*/y;
const NUMBER = /\d[\w.]*/y;
const PARAMETER = /\$\d+/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*)?\$/y;
const STRING = /'(?:[^']|'')*'/y;
const ESCAPE_STRING = /'(?:[^'\\]|''|\\[\s\S])*'/y;
/** A literal goes on after a line break, under the rules it began with. */
const CONTINUATION = /(?:[ \t\f\v]|--[^\r\n]*)*[\r\n](?:\s|--[^\r\n]*[\r\n])*(?=')/y;
const QUOTED_NAME = /"(?:[^"]|"")*"/y;

/**
 * Splits SQL as Postgres does with `standard_conforming_strings = on`: '…' with '' inside, E'…' with backslashes,
 * "…", $tag$…$tag$, `--` to the end of the line and nested comments. Pure; never throws.
 */
export function* sqlTokens(sql: string): Generator<SqlToken> {
  let at = 0;
  const match = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    return pattern.test(sql) ? pattern.lastIndex : -1;
  };
  const stringEnd = (from: number, pattern: RegExp): number => {
    let end = match(pattern, from);
    for (let next = end; next !== -1;) {
      next = match(CONTINUATION, end);
      if (next !== -1) next = end = match(pattern, next);
    }
    return end;
  };

  while (at < sql.length) {
    const start = at;
    const skipped = Math.max(match(BLANK, at), match(LINE_COMMENT, at));
    if (skipped !== -1) {
      at = skipped;
      continue;
    }
    let kind: SqlToken['kind'] = 'literal';
    let end: number;
    if (sql.startsWith('/*', at)) {
      end = commentEnd(sql, at);
      if (end !== -1) {
        at = end;
        continue;
      }
    } else if (sql[at] === "'") {
      end = stringEnd(at, STRING);
    } else if (/[eE]/.test(sql[at] ?? '') && sql[at + 1] === "'") {
      end = stringEnd(at + 1, ESCAPE_STRING);
    } else if (sql[at] === '"') {
      end = match(QUOTED_NAME, at);
    } else if ((end = match(DOLLAR_TAG, at)) !== -1) {
      const tag = sql.slice(at, end);
      const closing = sql.indexOf(tag, end);
      end = closing === -1 ? -1 : closing + tag.length;
    } else if ((end = match(PARAMETER, at)) !== -1) {
      kind = 'parameter';
    } else if ((end = match(WORD, at)) !== -1) {
      kind = 'word';
    } else {
      kind = sql[at] === ';' ? 'semicolon' : 'other';
      end = Math.max(at + 1, match(NUMBER, at));
    }
    at = end === -1 ? sql.length : end;
    yield { kind: end === -1 ? 'open' : kind, start, end: at };
  }
}

/** Behind the end of the comment that starts at `from`; -1 when it never ends. Comments nest. */
function commentEnd(sql: string, from: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let depth = 0;
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return -1;
}
