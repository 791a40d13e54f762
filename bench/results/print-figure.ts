import type { Figure } from './figure.js';
import { figureText } from './figure-text.js';

/** Prints a figure for a person, with its verdict. */
export function printFigure(measured: Figure): void {
  const { what, figure, reference, compared, target, reached, aside } = figureText(measured);
  const verdict = reached === '' ? '' : `reached: ${reached}`;
  const beside = [figure, reference, compared, target, verdict, aside].filter((text) => text !== '');
  console.log(`${what}\n    ${beside.join(' · ')}`);
}
