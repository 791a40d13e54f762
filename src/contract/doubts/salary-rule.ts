import { isCurrency } from '../is-currency.js';
import { NO_DOUBTS, type Doubt, type DoubtedBody, type DoubtRule } from './doubt.js';

/** A salary object: its currency, and an amount that somebody may earn. */
export function salaryRule(field: string): DoubtRule {
  return (body) => {
    const salary = body[field];
    if (typeof salary !== 'object' || salary === null) return NO_DOUBTS;
    const { currency, amount } = salary as DoubtedBody;
    const foreign = typeof currency === 'string' && !isCurrency(currency);
    const odd = typeof amount === 'number' && amount <= 0;
    if (!foreign && !odd) return NO_DOUBTS;
    return [
      ...(foreign ? [unknownCurrency(`${field}.currency`, currency)] : []),
      ...(odd ? [noSalary(`${field}.amount`, amount)] : []),
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

/** Zero is no contradiction, so a strict platform takes it. */
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
