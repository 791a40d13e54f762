import { NO_DOUBTS, type DoubtRule } from './doubt.js';

/** More places than an offer has: it is probably a code, an amount of money or a telephone number. */
const MOST_PLACES = 1_000;

/**
 * A number of places. It cannot be negative; none at all, or very many, is probably another column. That is not ruled out,
 * because the interface names no limits.
 */
export function placesRule(field: string): DoubtRule {
  const negative = betweenRule(field);
  return (body, today) => {
    const value = body[field];
    if (typeof value !== 'number' || (value > 0 && value <= MOST_PLACES)) return NO_DOUBTS;
    if (value < 0) return negative(body, today);
    return [
      {
        field,
        code: 'doubtful',
        message: value === 0 ? 'is 0' : `is above ${String(MOST_PLACES)}`,
        value: String(value),
        hint: 'Is the column the number of places? Correct the query, or return null where it is unknown.',
        ruledOut: false,
      },
    ];
  };
}

/** A number that cannot be negative, nor above `most`; null: without a limit. */
export function betweenRule(field: string, most: number | null = null): DoubtRule {
  return (body) => {
    const value = body[field];
    if (typeof value !== 'number' || (value >= 0 && (most === null || value <= most))) return NO_DOUBTS;
    return [
      {
        field,
        code: 'doubtful',
        message: value < 0 ? 'is negative' : `is above ${String(most)}`,
        value: String(value),
        hint: 'Correct it in the source, or return null for it from the query.',
        ruledOut: true,
      },
    ];
  };
}
