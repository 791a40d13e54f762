import { closest } from '../closest.js';

/**
 * Reads SQL as Postgres does, as far as tokens go: for characters that mislead people, and for the named parameters of
 * the webhook's statement.
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

/** A statement with `$1`, `$2` and so on, for the driver. */
interface NumberedStatement {
  readonly text: string;
  /** The parameter that each number stands for, from `$1` on; one that is used twice is here twice. */
  readonly names: readonly string[];
}

/** Why a statement cannot be used; follows its name in a sentence ("has ..."). */
export interface StatementProblem {
  readonly problem: string;
  /** From 1. */
  readonly line: number;
}

/** The allowed first words: none ends the transaction or outlives it. */
const FIRST_WORDS = ['insert', 'update', 'delete', 'merge', 'select', 'with'];

/**
 * Rewrites `:name` into numbered parameters and leaves everything else as it is: `?`, casts (`::`), `:=`, and whatever
 * stands in literals, quoted names, dollar quotes and comments. Each use gets a number of its own, so that Postgres may
 * give it the type of its own place. One semicolon at the end is cut.
 *
 * @param sql one statement of the partner
 * @param known names that may be used, without the colon
 */
export function namedParameters(
  sql: string,
  known: readonly string[],
): NumberedStatement | readonly StatementProblem[] {
  const text = sql.replace(/^\uFEFF/, ' ');
  const tokens = [...sqlTokens(text)];
  const problems = statementProblems(text, tokens);
  const names: string[] = [];
  let rewritten = '';
  let copied = 0;
  for (const [index, token] of tokens.entries()) {
    if (!isParameter(text, tokens, index)) continue;
    const name = text.slice(token.start, token.end);
    if (!known.includes(name)) problems.push({ problem: unknownName(name, known), line: line(text, token) });
    names.push(name);
    // With a blank: right after a letter, $1 would be part of the word.
    rewritten += `${text.slice(copied, token.start - 1)} $${names.length}`;
    copied = token.end;
  }
  if (problems.length > 0) return problems.sort((left, right) => left.line - right.line);
  const semicolon = tokens.find(({ kind }) => kind === 'semicolon');
  return { text: rewritten + text.slice(copied, semicolon?.start), names };
}

/** Whether this token is a word with a single colon right before it. */
function isParameter(text: string, tokens: readonly SqlToken[], index: number): boolean {
  const [beforeLast, last, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  const isColon = (other: SqlToken | undefined, end: number | undefined): boolean =>
    other?.kind === 'other' && other.end === end && text[other.start] === ':';
  return token?.kind === 'word' && isColon(last, token.start) && !isColon(beforeLast, last?.start);
}

function statementProblems(text: string, tokens: readonly SqlToken[]): StatementProblem[] {
  const problems: StatementProblem[] = [];
  const say = (problem: string, token: Pick<SqlToken, 'start'>) =>
    problems.push({ problem, line: line(text, token) });
  const misread = misreadCharacter(text);
  if (misread) say(misread.problem, { start: misread.at });
  const first = tokens.find((token) => text.slice(token.start, token.end) !== '(');
  if (first === undefined || first.kind === 'semicolon') return [{ problem: 'is empty', line: 1 }];
  const word = text.slice(first.start, first.end);
  if (!FIRST_WORDS.includes(word.toLowerCase()))
    say(`begins with "${word.slice(0, 40)}"; it may begin with ${FIRST_WORDS.join(', ')}`, first);
  const open = tokens.find(({ kind }) => kind === 'open');
  if (open) say('has a literal, a quoted name or a comment that does not end', open);
  const numbered = tokens.find(({ kind }) => kind === 'parameter');
  if (numbered)
    say(`has ${text.slice(numbered.start, numbered.end)}; write parameters by name (:email)`, numbered);
  const end = tokens.findIndex(({ kind }) => kind === 'semicolon');
  const second = end === -1 ? undefined : tokens.slice(end).find(({ kind }) => kind !== 'semicolon');
  if (second) say('has more than one statement; put them into one WITH, or into a function', second);
  return problems;
}

function unknownName(name: string, known: readonly string[]): string {
  const close = closest(name, known);
  const advice = close === null ? `known are ${known.join(', ')}` : `did you mean :${close}?`;
  return `has the unknown parameter :${name}; ${advice} (a slice of an array is written [1 : n])`;
}

function line(text: string, token: Pick<SqlToken, 'start'>): number {
  return text.slice(0, token.start).split('\n').length;
}
