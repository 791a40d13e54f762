import { closest } from '../closest.js';
import { misreadCharacter } from './misread-character.js';
import { sqlTokens, type SqlToken } from './sql-tokens.js';

/** A statement with `$1`, `$2` and so on, for the driver. */
export interface NumberedStatement {
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
 * Rewrites `:name` into numbered parameters and leaves everything else as it is: `?`, casts (`::`), `:=`, and
 * whatever stands in literals, quoted names, dollar quotes and comments. Each use gets a number of its own, so that
 * Postgres may give it the type of its own place. One semicolon at the end is cut. Pure.
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
