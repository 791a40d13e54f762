import { visibleText } from '../../domain/text.js';
import { io, type Output } from '../io.js';
import { accented, type Accent } from './colours.js';
import { wrapText } from './wrap-text.js';

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

/** Everything else: standard error. */
export function writeError(text: string): void {
  const wrapped = wrapText(visibleText(text), widthOf(io().stderr));
  io().stderr.write(wrapped.endsWith('\n') ? wrapped : `${wrapped}\n`);
}

/** One JSON document. */
export function writeJson(value: unknown): void {
  writeOut(visibleText(JSON.stringify(value, null, 2)));
}

/** Columns of a terminal; undefined: it is not a terminal, so nothing is cut or wrapped. */
export function widthOf({ isTTY, columns }: Output): number | undefined {
  // A terminal without a size reports 0.
  return isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
}
