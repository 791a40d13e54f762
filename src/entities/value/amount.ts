import { decimal } from './decimal.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';

/** A number with or without fraction, from numeric text; one that JSON readers would change is refused. */
export function amount(text: string): Reading<number> {
  const number = decimal(text);
  const value = Number(text.trim());
  if (number === null || Number.isNaN(value)) {
    return fault(
      'type',
      'must be a number',
      'Return a number from the query: no currency signs and no digit groups, for instance amount::numeric.',
    );
  }
  // Fifteen significant digits survive binary floating point.
  if (hasMoreThan15(number.digits) || !Number.isFinite(value))
    return fault('range', 'has more than 15 digits');
  return { value };
}

/** Without its zeros at the end: `/0+$/` would take the square of the time for thousands of zeros within a number. */
function hasMoreThan15(digits: string): boolean {
  return /[1-9]/.test(digits.slice(15));
}
