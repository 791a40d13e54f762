import { NO_DOUBTS, type DoubtRule } from './doubt.js';

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
