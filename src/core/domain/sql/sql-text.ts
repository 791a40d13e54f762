/**
 * Reads SQL as Postgres does, as far as tokens go: for characters that mislead people, and for what is one statement.
 */

/** What stands in a text of SQL outside of comments and blanks. Offsets are UTF-16 positions in the text. */
interface SqlToken {
  /** `open` is a literal, quoted name or comment that never ends. */
  readonly kind: 'word' | 'literal' | 'parameter' | 'semicolon' | 'open' | 'other';
  readonly start: number;
  readonly end: number;
}

/**
 * The classes of Postgres's scan.l. What is a blank elsewhere (U+00A0, U+2003, U+FEFF) is a letter to Postgres, as is
 * everything beyond ASCII: a reader that skips it sees other literals than Postgres. \v is a blank from 16 on, an error
 * before.
 */
const BLANK = /[ \t\n\r\f\v]+|--[^\r\n]*/y;
const WORD = /[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*/y;
const PARAMETER = /\$\d+/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*)?\$/y;
/**
 * Two dots are a token of their own. A letter right behind a number begins one up to Postgres 14 (`1e'\''` is a number
 * and an escape string), and is an error later.
 */
const NUMBER = /\.\.|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const COMMENT_MARK = /\/\*|\*\//g;

/** What stands before the quote of a literal, and the literal's parts from the quote on. */
const LITERALS = [
  [/(?:[uU]&)?(?=')/y, /'[^']*(?:''[^']*)*'/y],
  [/[eE](?=')/y, /'[^'\\]*(?:(?:''|\\[^])[^'\\]*)*'/y],
  [/[bBxX](?=')/y, /'[^']*'/y],
] as const;
/** A literal goes on after a line break. A comment before it is taken whole, or each of its dashes could begin one. */
const CONTINUATION = /[ \t\f\v]*(?:--[^\r\n]*)?[\r\n](?:[ \t\n\r\f\v]|--[^\r\n]*[\r\n])*(?=')/y;
const NAME_QUOTE = /(?:[uU]&)?(?=")/y;
const QUOTED_NAME = /"[^"]*(?:""[^"]*)*"/y;

/** `end`: behind what begins here; -1 when it never ends. */
interface Found {
  readonly kind: SqlToken['kind'] | 'blank';
  readonly end: number;
}

/**
 * Splits SQL as Postgres does with `standard_conforming_strings = on`: '…' with '' inside, E'…' with backslashes,
 * "…", $tag$…$tag$, `--` to the end of the line and nested comments. Operators are split character by character. Pure;
 * never throws.
 */
export function* sqlTokens(sql: string): Generator<SqlToken> {
  for (let start = 0; start < sql.length;) {
    const found = findAt(sql, start);
    const end = found.end === -1 ? sql.length : found.end;
    if (found.end === -1) yield { kind: 'open', start, end };
    else if (found.kind !== 'blank') yield { kind: found.kind, start, end };
    start = end;
  }
}

function findAt(sql: string, at: number): Found {
  const blank = match(BLANK, sql, at);
  if (blank !== -1) return { kind: 'blank', end: blank };
  if (sql.startsWith('/*', at)) return { kind: 'blank', end: commentEnd(sql, at) };
  for (const [prefix, part] of LITERALS) {
    const quote = match(prefix, sql, at);
    if (quote !== -1) return { kind: 'literal', end: literalEnd(part, sql, quote) };
  }
  const nameQuote = match(NAME_QUOTE, sql, at);
  if (nameQuote !== -1) return { kind: 'literal', end: match(QUOTED_NAME, sql, nameQuote) };
  const body = match(DOLLAR_TAG, sql, at);
  if (body !== -1) {
    const tag = sql.slice(at, body);
    const closing = sql.indexOf(tag, body);
    return { kind: 'literal', end: closing === -1 ? -1 : closing + tag.length };
  }
  const parameter = match(PARAMETER, sql, at);
  if (parameter !== -1) return { kind: 'parameter', end: parameter };
  const word = match(WORD, sql, at);
  if (word !== -1) return { kind: 'word', end: word };
  return { kind: sql[at] === ';' ? 'semicolon' : 'other', end: Math.max(at + 1, match(NUMBER, sql, at)) };
}

/** Behind what the sticky pattern matches here; -1 when it does not. */
function match(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : -1;
}

/** Behind the literal whose first quote stands here; all its parts follow the rules of the first one. */
function literalEnd(part: RegExp, sql: string, quote: number): number {
  let end = match(part, sql, quote);
  while (end !== -1) {
    const next = match(CONTINUATION, sql, end);
    if (next === -1) break;
    end = match(part, sql, next);
  }
  return end;
}

/** Behind the end of the comment that starts at `from`; -1 when it never ends. Comments nest. */
function commentEnd(sql: string, from: number): number {
  COMMENT_MARK.lastIndex = from;
  let depth = 0;
  for (let found = COMMENT_MARK.exec(sql); found !== null; found = COMMENT_MARK.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return COMMENT_MARK.lastIndex;
  }
  return -1;
}

/** A blank for people and JavaScript, often copied from a web page; for Postgres a letter of a name. */
const BLANK_LETTER = /[^\P{White_Space}\t-\r ]|[\u200B\uFEFF]/u;

/** A character that must not be in a statement, and where. */
interface MisreadCharacter {
  /** Follows the name of the statement in a sentence ("has …"). */
  readonly problem: string;
  readonly hint: string;
  /** UTF-16 position in the text. */
  readonly at: number;
}

/**
 * The first character of SQL that people read differently from Postgres: a blank beyond ASCII outside of quotes and
 * comments, or U+0000, where the protocol ends the text.
 */
export function misreadCharacter(sql: string): MisreadCharacter | null {
  const end = sql.indexOf('\0');
  if (end !== -1)
    return { problem: 'has the character U+0000, which Postgres cannot take', hint: 'Remove it.', at: end };
  for (const { kind, start, end: wordEnd } of sqlTokens(sql)) {
    const found = kind === 'word' ? BLANK_LETTER.exec(sql.slice(start, wordEnd)) : null;
    if (found === null) continue;
    const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const problem = `has the character U+${code}, which looks like a blank and is a letter to Postgres`;
    return { problem, hint: 'Replace it with a blank.', at: start + found.index };
  }
  return null;
}
