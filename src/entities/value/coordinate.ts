import { decimal, noNumberHint } from './decimal.js';
import type { Decimal } from './decimal.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';

const PLAIN_FORM = /^-?\d+(\.\d+)?$/;

/**
 * Decimal degrees as text, the way Postgres prints the column (`-6.2000` keeps its zeros), but never with an
 * exponent: float8 prints 0.00001 as `1e-05`, which the platform does not document.
 *
 * @param limit the largest magnitude: 90 for a latitude, 180 for a longitude
 */
export function coordinate(text: string, limit: 90 | 180): Reading<string> {
  const trimmed = text.trim();
  const number = decimal(trimmed);
  if (number === null) {
    return fault(
      'format',
      'must be decimal degrees',
      noNumberHint(trimmed) ?? 'Return decimal degrees with a point, such as -6.2088.',
    );
  }
  // The exponent is bounded first: written out, 1e-999999999 would fill the memory.
  if (Math.abs(Number(trimmed)) > limit || Math.abs(number.exponent) > 1_000) {
    return fault('range', `must be between −${String(limit)} and ${String(limit)}`);
  }
  return { value: PLAIN_FORM.test(trimmed) ? trimmed : plain(number) };
}

function plain({ negative, digits, exponent }: Decimal): string {
  const sign = negative ? '-' : '';
  if (exponent >= 0) return sign + (digits === '0' ? '0' : digits + '0'.repeat(exponent));
  const padded = digits.padStart(1 - exponent, '0');
  const whole = padded.slice(0, exponent);
  return `${sign}${whole}.${padded.slice(exponent)}`;
}
