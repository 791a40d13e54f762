import type { JsonObject } from '../domain/json.js';
import type { RowReader } from './row-reader.js';
import { wholeNumber } from './value/whole-number.js';

/**
 * The salary object from `<name>_currency` (IDR when absent) and `<name>_amount`, without which there is none. A
 * currency that its lookup leaves out leaves out the whole object: an amount must not be shown in another currency.
 * Null: no salary, and the configuration sends null then.
 */
export function readSalary(
  read: RowReader,
  name: 'min_salary' | 'max_salary',
): JsonObject | null | undefined {
  const currency = read.text(`${name}_currency`, 'IDR');
  const amount = read.value(`${name}_amount`, wholeNumber);
  if (amount === undefined) return read.absent(`${name}_amount`);
  if (currency === undefined) return read.absent(`${name}_currency`);
  return { currency, amount };
}
