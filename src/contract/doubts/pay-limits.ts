export interface PayLimits {
  readonly least: number;
  readonly most: number;
}

/** Of which a dollar has thousands, hundreds, or not many more than one. */
const SMALL: PayLimits = { least: 10_000, most: 1_000_000_000 };
const MIDDLE: PayLimits = { least: 50, most: 100_000_000 };
const LARGE: PayLimits = { least: 2, most: 1_000_000 };

const SMALL_UNITS = new Set('IDR VND LAK KHR IRR UZS GNF PYG SLL LBP MGA UGX TZS COP MNT MMK IQD'.split(' '));
const MIDDLE_UNITS = new Set(
  'JPY KRW HUF CLP ISK INR PKR BDT LKR NPR PHP TWD THB RUB KES NGN AMD KZT XOF XAF RSD ARS CRC DZD JMD'.split(
    ' ',
  ),
);

/**
 * Between which a month's pay in a currency stands, also an hour's and a year's where these are what is given: three sizes
 * of currencies, wide enough for all of them.
 */
export function payLimits(currency: string): PayLimits {
  return SMALL_UNITS.has(currency) ? SMALL : MIDDLE_UNITS.has(currency) ? MIDDLE : LARGE;
}
