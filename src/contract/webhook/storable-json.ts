/** Any JSON value. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json | undefined };

/** Records of the interface are two levels deep; deeper values cannot be such records. */
const MAX_DEPTH = 20;

/**
 * The same value in a form that Postgres can store as text and jsonb: without U+0000, with U+FFFD for half
 * surrogate pairs, and null for what is nested too deep. Never throws for anything that JSON.parse returns.
 */
export function storableJson(value: unknown, depth = 0): Json {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((element) => storableJson(element, depth + 1));
  // From entries, so that a field called __proto__ stays a field.
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [storableText(field), storableJson(part, depth + 1)]),
  );
}

export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
