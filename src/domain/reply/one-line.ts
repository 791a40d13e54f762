/** Long enough for a platform's message with its field errors, short enough for a log line and a table cell. */
const LONGEST_MESSAGE = 500;

/**
 * Text from outside, fit for a log line, a terminal and a text column: control characters, line separators,
 * direction marks and unpaired surrogates become blanks, runs of blanks one, and text beyond 500 characters is cut.
 */
export function oneLine(text: string): string {
  return oneLineUpTo(LONGEST_MESSAGE, text);
}

/** The same, cut beyond `longest` characters: its last one is then `…`. */
export function oneLineUpTo(longest: number, text: string): string {
  const flat = text
    .slice(0, 20 * longest)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...flat];
  return characters.length <= longest ? flat : `${characters.slice(0, longest - 1).join('')}…`;
}
