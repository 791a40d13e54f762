import { visibleText } from '../../domain/visible-text.js';
import { io, type Output } from '../io.js';
import { wrapText } from './wrap-text.js';

/** Results without changes, for people or programs: standard output. */
export function writeOut(text: string): void {
  io().stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Sentences for people on standard output: wrapped on a terminal, unchanged in a pipe. */
export function say(text: string): void {
  writeOut(wrapText(visibleText(text), widthOf(io().stdout)));
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
