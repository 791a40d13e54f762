import type { Figure } from './figure.js';
import { figureText } from './figure-text.js';

/** Prints figures for a person: one line each, with its verdict. */
export function printFigures(figures: readonly Figure[]): void {
  for (const { what, figure, reference, compared, target, reached, aside } of figures.map(figureText)) {
    const beside = [reference, compared, target, reached && `reached: ${reached}`, aside].filter(
      (text) => text !== '',
    );
    console.log(`${what}\n    ${[figure, ...beside].join(' · ')}`);
  }
}
