/** Control characters but line feed and tab, line and paragraph separators, and marks that turn the direction. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text for a terminal in which foreign keys and messages cannot act: a control character becomes `\u001b`. In a
 * JSON document the same characters stand only within strings, where this is their other spelling. Pure.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
