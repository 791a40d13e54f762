import type { JsonValue } from '../domain/json.js';
import { lookupCode } from './lookup-code.js';
import type { Lookup } from './lookup.js';
import type { Reading } from './value/reading.js';

/** A number as JSON writes it; a longer one would lose digits. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;

/** A text in quotes of its own. */
const QUOTED = /^"[^"\\]*"$/;

/**
 * As `lookupCode`, for a column that takes any value: an id that is a number becomes a number. In quotes of its own it
 * stays text, because the platform may know the word `2`.
 */
export function lookupValue(code: string, lookup: Lookup): Reading<JsonValue> {
  const reading = lookupCode(code, lookup, false);
  if ('fault' in reading || reading.value === null) return reading;
  const id = reading.value;
  if (NUMBER.test(id)) return { value: Number(id) };
  return { value: QUOTED.test(id) ? id.slice(1, -1) : id };
}
