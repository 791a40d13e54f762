import { io } from '../io.js';

const CODES = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Colour = keyof typeof CODES;

/** A part of a text, and its colour. The colour always comes with a word or a sign that says the same. */
export interface Accent {
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

/** The text in that colour, where standard output shows colours. */
export function painted(text: string, colour: Colour): string {
  if (!coloursOn()) return text;
  const [begin, end] = CODES[colour];
  return `\u001b[${begin}m${text}\u001b[${end}m`;
}

/** The text with its accent painted; where a line break divides the accent, the first line is. */
export function accented(text: string, { part, colour }: Accent): string {
  const [first = ''] = text.split('\n', 1);
  const shown = text.includes(part) ? part : first;
  return text.replace(shown, () => painted(shown, colour));
}
