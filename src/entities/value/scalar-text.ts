import type { RowValue } from '../../domain/row.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';

/**
 * The text of one row value. Null, and text that is empty or blank, is absent (`null`); any other text is passed on
 * untouched, except that text which no database can store is refused. A boolean (of a JSON column) is taken as the text
 * Postgres would print; numbers come as text already, with all their digits.
 */
export function scalarText(value: RowValue | undefined): Reading<string | null> {
  if (value === null || value === undefined) return { value: null };
  if (typeof value === 'string') return storable(value.trim() === '' ? null : value);
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return fault(
    'type',
    `must be one value, not ${Array.isArray(value) ? 'an array' : 'a JSON object'}`,
    'Return a single value from the query, for instance with array_to_string() or ->>.',
  );
}

/**
 * Refuses text that Postgres cannot hold as text or jsonb. A column of type json may hold the escapes of a NUL or of
 * half a surrogate pair; one such record would end the sweep when it is written to the ledger.
 */
export function storable<T extends string | null>(text: T): Reading<T> {
  if (text === null || (text.isWellFormed() && !text.includes('\0'))) return { value: text };
  return fault(
    'format',
    'contains a NUL or half of a surrogate pair, which Postgres cannot store as text',
    'The column is of type json and contains an escape such as \\u0000: cut it out in the query with replace().',
  );
}
