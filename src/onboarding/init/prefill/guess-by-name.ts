import { UNKNOWN, type Guess } from './guess.js';

/**
 * The id that the name of a code means; a code without a name speaks for itself. An abbreviation means little (`PT` is
 * part time here and permanent there), so a name that is not understood leaves the id empty. A name in several languages
 * (`Full time / Penuh waktu`) has to mean the same in all of them.
 */
export function guessByName(
  code: string,
  label: string | null,
  idsOf: (spelling: string) => readonly string[],
): Guess {
  const [id, ...others] = new Set((label === null ? [code] : label.split(' / ')).flatMap(idsOf));
  if (id === undefined) return UNKNOWN;
  return others.length === 0
    ? { id, note: '' }
    : { id: '', note: 'ambiguous: its names mean different values' };
}
