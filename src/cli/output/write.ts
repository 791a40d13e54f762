import { visibleText } from '../../domain/visible-text.js';
import { io, type Output } from '../io.js';
import { wrapText } from './wrap-text.js';

/** Results as they are, for people or programs: standard output. */
export function writeOut(text: string): void {
  io().stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Sentences for people on standard output: broken between words on a terminal, as they are in a pipe. */
export function tell(text: string): void {
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

/** Columns of a terminal; undefined: it is none, and nothing is cut or broken. */
export function widthOf({ isTTY, columns }: Output): number | undefined {
  // A terminal whose size nobody set says 0.
  return isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
}
