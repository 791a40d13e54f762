import type { EntityName } from './names.js';

/** Control characters but line feed and tab, line and paragraph separators, and marks that turn the direction. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text for a terminal in which foreign keys and messages cannot act: a control character becomes `\u001b`. In a JSON
 * document the same characters stand only within strings, where this is their other spelling.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text that ends as a sentence does: with its own mark, or with a full stop. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** `plural(rows, 'row is', 'rows are')`: the first for a count of one, else the second. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** A count with its thousands apart: `1,067`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 row`, `1,067 rows`. `many`: of a noun that needs more than an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${plural(count, one, many)}`;
}

/** `1 company`, `2,040 vacancies`. */
export function countedRecords(count: number, entity: EntityName): string {
  return counted(count, singular(entity), entity);
}

function singular(entity: EntityName): string {
  if (entity.endsWith('ies')) return `${entity.slice(0, -3)}y`;
  return entity.endsWith('ses') ? entity.slice(0, -2) : entity.replace(/s$/, '');
}

/** `a`, `a and b`, `a, b and c`; nothing: an empty text. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * What a spreadsheet would take for a formula: at the begin, and behind what ends a cell where lists are separated by a
 * semicolon, as in Indonesia, or by a tab. Quotes do not help there: they begin within a cell, and go where it begins.
 */
const FORMULA = /(^|[;\t\r\n])(?="*[=+\-@\t\r])/g;

/** A text as a cell of CSV: what a spreadsheet would calculate gets an apostrophe in front. */
export function withoutFormula(text: string): string {
  return text.replace(FORMULA, "$1'");
}

/**
 * One line of a CSV file (RFC 4180, ended by a line feed). Keys and reasons come from elsewhere: what a spreadsheet would
 * calculate gets an apostrophe in front, and a character that a terminal obeys is written as `\u001b`. A file is the same
 * as what a terminal shows: whoever looks at it later is as safe.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(',')}\n`;
}

function cellText(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = withoutFormula(visibleText(cell));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The order of two texts by their code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The largest unit that a span (milliseconds) fills, with its length in milliseconds; a second for what is shorter. */
export function largestUnit(ms: number): (typeof UNITS)[number] {
  // One of a unit would hide half of it: 105 seconds are not 1 minute, and 90 not 2.
  return (
    UNITS.find(([, length]) => ms >= 2 * length || (ms === length && length > 1_000)) ?? ['second', 1_000]
  );
}

/** A word, quoted where a POSIX shell needs it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
