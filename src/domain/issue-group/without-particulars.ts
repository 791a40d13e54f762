import { PARTICULARS } from './particulars.js';

const RULES = PARTICULARS.map(
  ([pattern, shown]) =>
    [
      new RegExp(pattern.replaceAll('[:alnum:]', '\\p{L}\\p{N}'), 'gu'),
      shown.replaceAll('\\1', '$1'),
    ] as const,
);

/** The text without quoted text, e-mail addresses, ids and long numbers, so that equal causes give equal texts. Pure. */
export function withoutParticulars(text: string): string {
  return RULES.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), text);
}
