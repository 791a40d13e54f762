import { decimal, noNumberHint } from './decimal.js';
import type { Decimal } from './decimal.js';
import { fault } from './reading.js';
import type { Fault, Reading } from './reading.js';

/** The number is not in the message, so that all of a column are one group. */
const ROUNDED: Fault = {
  code: 'doubtful',
  message: 'has a fraction and is rounded',
  hint: 'The platform takes whole numbers. Round it in the query as you want it: round(), floor() or ceil().',
};

/**
 * A whole number from numeric text of any Postgres type. A fraction is rounded half up (towards the larger number)
 * with a warning; beyond ±(2^53 − 1) JSON readers lose digits, so it is refused.
 */
export function wholeNumber(text: string): Reading<number> {
  const number = decimal(text);
  if (number === null) {
    return fault(
      'type',
      'must be a whole number',
      noNumberHint(text) ??
        'Return a number from the query: no currency signs and no digit groups, for instance amount::numeric.',
    );
  }
  const magnitude = number.digits === '0' ? 0 : number.digits.length + number.exponent;
  // 17 digits are beyond any safe integer; also keeps 1e999999999 from being written out.
  const rounded = magnitude > 17 ? null : roundHalfUp(number, magnitude);
  if (rounded === null || !Number.isSafeInteger(Number(rounded.value))) {
    return fault('range', 'must be between −9007199254740991 and 9007199254740991');
  }
  const value = Number(rounded.value);
  return rounded.exact ? { value } : { value, warning: ROUNDED };
}

function roundHalfUp(
  number: Decimal,
  magnitude: number,
): { readonly value: bigint; readonly exact: boolean } {
  if (number.digits === '0') return { value: 0n, exact: true };
  if (number.exponent >= 0) {
    const value = BigInt(number.digits + '0'.repeat(number.exponent));
    return { value: number.negative ? -value : value, exact: true };
  }
  const whole = BigInt(magnitude > 0 ? number.digits.slice(0, magnitude) : '0');
  // The digits behind the point, whose zeros in front are cut when the number is below 0.1.
  const fraction = magnitude >= 0 ? number.digits.slice(magnitude) : '0';
  if (magnitude >= 0 && /^0*$/.test(fraction))
    return { value: number.negative ? -whole : whole, exact: true };
  const half = fraction.startsWith('5') && /^50*$/.test(fraction);
  const up = fraction >= '5' && !(number.negative && half);
  const value = up ? whole + 1n : whole;
  return { value: number.negative ? -value : value, exact: false };
}
