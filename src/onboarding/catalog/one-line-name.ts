/** Control characters, line and paragraph separators, and marks that turn the direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A name as SQL has to write it, on one line: a name with a line feed or another control character is written with its
 * codes, so that it can stand in a comment too.
 *
 * @param quoted what `quote_ident` makes of it
 */
export function oneLineName(quoted: string): string {
  if (quoted.search(UNSEEN) < 0) return quoted;
  const codes = quoted
    .replaceAll('\\', '\\\\')
    .replace(UNSEEN, (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `U&${codes}`;
}
