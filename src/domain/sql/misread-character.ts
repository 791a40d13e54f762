import { sqlTokens } from './sql-tokens.js';

/** A blank for people and JavaScript, often copied from a web page; for Postgres a letter of a name. */
const BLANK_LETTER = /[^\P{White_Space}\t-\r ]|[\u200B\uFEFF]/u;

/** A character that must not be in a statement, and where. */
export interface MisreadCharacter {
  /** Follows the name of the statement in a sentence ("has …"). */
  readonly problem: string;
  readonly hint: string;
  /** UTF-16 position in the text. */
  readonly at: number;
}

/**
 * The first character of SQL that people read differently from Postgres: a blank beyond ASCII outside of
 * quotes and comments, or U+0000, where the protocol ends the text. Pure.
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
