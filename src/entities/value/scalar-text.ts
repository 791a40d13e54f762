import type { RowValue } from '../../domain/row.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';

/**
 * The text of one row value. Null, and text that is empty or blank, is absent (`null`); any other text is passed on
 * untouched. Numbers and booleans (scalars of a JSON column) are taken as the text Postgres would print.
 */
export function scalarText(value: RowValue | undefined): Reading<string | null> {
  if (value === null || value === undefined) return { value: null };
  if (typeof value === 'string') return { value: value.trim() === '' ? null : value };
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return fault(
    'type',
    `must be one value, not ${Array.isArray(value) ? 'an array' : 'a JSON object'}`,
    'Return a single value from the query, for instance with array_to_string() or ->>.',
  );
}
