/** A decimal number as `digits` × 10^`exponent`, without rounding. */
export interface Decimal {
  readonly negative: boolean;
  /** At least one digit; no leading zeros unless it is zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** Numbers of Postgres that are none, as it prints them. */
const NO_NUMBER = /^(nan|[+-]?inf(inity)?)$/i;

/** What to do about NaN and Infinity; null for any other text. */
export function noNumberHint(text: string): string | null {
  const trimmed = text.trim();
  if (!NO_NUMBER.test(trimmed)) return null;
  return `${trimmed} is a value of Postgres that JSON does not have; return null for it: nullif(column, '${trimmed}').`;
}

const DECIMAL_FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,9}))?$/i;

/**
 * Reads text such as `5`, `5.00`, `-.5` or `1.5e+3`, blanks around it allowed, as decimal digits: binary floating
 * point would round 1.005e3 wrongly.
 *
 * @returns null when the text is not a number in this form (NaN, Infinity, digit groups, currency signs)
 */
export function decimal(text: string): Decimal | null {
  const match = DECIMAL_FORM.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  return { negative: sign === '-', digits, exponent: Number(exponent) - fraction.length };
}
