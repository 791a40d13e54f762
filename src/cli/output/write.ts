import { grouped, plural, visibleText } from '../../core/domain/text.js';
import { io, type Output } from '../io.js';

/*
 * All output of commands. Results go to standard output, everything else to standard error. A terminal gets wrapped lines
 * and colours; a pipe gets the text as it is. Foreign text cannot act on a terminal: see `visibleText`.
 */

/** Results without changes, for people or programs: standard output. */
export function writeOut(text: string): void {
  io().stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** The same, done when the stream has taken it. False: nobody reads it any more. */
export function writeAndWait(text: string): Promise<boolean> {
  const { stdout } = io();
  return new Promise((resolve) => void stdout.write(text, (error) => resolve(!error)));
}

/** Sentences for people on standard output: wrapped on a terminal, unchanged in a pipe. */
export function say(text: string, accent?: Accent): void {
  const wrapped = wrapText(visibleText(text), widthOf(io().stdout));
  writeOut(accent ? accented(wrapped, accent) : wrapped);
}

export function writeError(text: string): void {
  const wrapped = wrapText(visibleText(text), widthOf(io().stderr));
  io().stderr.write(wrapped.endsWith('\n') ? wrapped : `${wrapped}\n`);
}

export function writeJson(value: unknown): void {
  writeOut(visibleText(JSON.stringify(value, null, 2)));
}

/** Columns of a terminal; undefined: it is not a terminal, so nothing is cut or wrapped. */
export function widthOf({ isTTY, columns }: Output): number | undefined {
  // A terminal without a size reports 0.
  return isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
}

const CODES = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Colour = keyof typeof CODES;

/** A part of a text, and its colour. The colour always comes with a word or a sign that says the same. */
interface Accent {
  readonly part: string;
  readonly colour: Colour;
}

/**
 * Whether standard output shows colours: a terminal that can, unless NO_COLOR is set. FORCE_COLOR colours a pipe too;
 * 0 and false switch colours off. An empty variable counts as unset (no-color.org).
 */
function coloursOn(): boolean {
  const { stdout, env } = io();
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR);
  // hasColors knows terminals that cannot; a pipe does not have it.
  return stdout.isTTY === true && stdout.hasColors?.(env) === true;
}

export function painted(text: string, colour: Colour): string {
  if (!coloursOn()) return text;
  const [begin, end] = CODES[colour];
  return `\u001b[${begin}m${text}\u001b[${end}m`;
}

/** The text with its accent painted; where a line break divides the accent, the first line is. */
function accented(text: string, { part, colour }: Accent): string {
  const [first = ''] = text.split('\n', 1);
  const shown = text.includes(part) ? part : first;
  return text.replace(shown, () => painted(shown, colour));
}

/**
 * Breaks lines between words so that none is wider than `width` columns; continued lines have `hanging` more blanks of
 * indent. A word wider than the terminal (an address, a key) stays whole, so that you can copy it. Undefined: no breaks.
 */
export function wrapText(text: string, width: number | undefined, hanging = 2): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : wrapLine(line, width, hanging)))
    .join('\n');
}

function wrapLine(line: string, width: number, more: number): string {
  const indent = /^[ ]*/.exec(line)?.[0] ?? '';
  const hanging = `${indent}${' '.repeat(more)}`;
  const lines: string[] = [];
  let current = indent;
  let empty = true;
  for (const word of line.slice(indent.length).split(' ')) {
    if (!empty && current.length + 1 + word.length > width) {
      lines.push(current);
      current = hanging + word;
    } else {
      current += empty ? word : ` ${word}`;
    }
    empty = false;
  }
  return [...lines, current].map((each) => each.trimEnd()).join('\n');
}

/** At most `width` characters; … replaces what was cut off the end. */
export function cutText(text: string, width: number | undefined): string {
  return width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0))}…`;
}

export const LISTED = 50;

/** `… 1,845 more`, `… one more line`: what a list leaves out. `what`: in the singular; left out: nothing is named. */
export function moreText(count: number, what?: string): string {
  const number = plural(count, 'one', grouped(count));
  return `… ${number} more${what === undefined ? '' : ` ${plural(count, what, `${what}s`)}`}`;
}
