import { isCurrency } from '../is-currency.js';
import { payLimits } from './pay-limits.js';
import { NO_DOUBTS, type Doubt, type DoubtedBody, type DoubtRule } from './doubt.js';

/** A salary object: its currency, and an amount that somebody may earn. */
export function salaryRule(field: string): DoubtRule {
  return (body) => {
    const salary = body[field];
    if (typeof salary !== 'object' || salary === null) return NO_DOUBTS;
    const { currency, amount } = salary as DoubtedBody;
    const foreign = typeof currency === 'string' && !isCurrency(currency);
    const odd = typeof amount === 'number' && amount <= 0;
    const outside = typeof currency === 'string' && typeof amount === 'number' && isOutside(amount, currency);
    if (!foreign && !odd && !outside) return NO_DOUBTS;
    return [
      ...(foreign ? [unknownCurrency(`${field}.currency`, currency)] : []),
      ...(odd ? [noSalary(`${field}.amount`, amount)] : []),
      ...(outside && !foreign && !odd ? [noPay(`${field}.amount`, amount, currency)] : []),
    ];
  };
}

function unknownCurrency(field: string, value: string): Doubt {
  return {
    field,
    code: 'doubtful',
    message: 'is not a currency code of ISO 4217 (three capital letters, such as IDR)',
    value,
    hint: 'Give the currency column a lookup, or return the code from the query.',
    ruledOut: true,
  };
}

/** A strict platform takes zero: it contradicts nothing. */
function noSalary(field: string, amount: number): Doubt {
  return {
    field,
    code: 'doubtful',
    message: amount === 0 ? 'is 0, and job seekers see it as 0' : 'is negative',
    value: String(amount),
    hint: 'Return null where the salary is not known: nullif(column, 0), for instance.',
    ruledOut: amount < 0,
  };
}

function isOutside(amount: number, currency: string): boolean {
  const { least, most } = payLimits(currency);
  return amount < least || amount > most;
}

/** Hardly anybody is paid that; a strict platform takes it. */
function noPay(field: string, amount: number, currency: string): Doubt {
  const { least, most } = payLimits(currency);
  const limit = amount < least ? `below ${group(least)}` : `above ${group(most)}`;
  return {
    field,
    code: 'doubtful',
    message: `is ${limit} ${currency}, which is hardly what somebody earns in a month`,
    value: String(amount),
    hint: 'Is the column the pay, in this currency, and in whole units rather than thousands or cents? Correct the query, or return null.',
    ruledOut: false,
  };
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
