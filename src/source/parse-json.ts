import type { JsonValue } from '../domain/row.js';

/** A text or a number of JSON; digits inside a text are part of the text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON as Postgres prints it, without losing digits. A number on its own stays the text that Postgres prints,
 * as a number of any other column is; inside an array or object a number becomes text only where JavaScript would print
 * it differently (`106.80`, more than 15 digits).
 */
export function parseJson(text: string): JsonValue {
  // The type json keeps the blanks around it.
  if (/^\s*[-\d]/.test(text)) return text.trim();
  const exact = text.replace(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`,
  );
  return JSON.parse(exact) as JsonValue;
}
