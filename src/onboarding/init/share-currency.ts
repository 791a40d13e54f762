import type { DraftColumn } from './draft-query.js';

const CURRENCIES = {
  min_salary_amount: 'min_salary_currency',
  max_salary_amount: 'max_salary_currency',
} as const;

/** One column with the currency is that of both amounts. */
export function shareCurrency(columns: DraftColumn[]): void {
  const currency = columns.find(({ target }) => target.endsWith('_salary_currency'));
  if (!currency) return;
  for (const [amount, target] of Object.entries(CURRENCIES))
    if (columns.some((each) => each.target === amount) && !columns.some((each) => each.target === target))
      columns.push({ ...currency, target });
}
