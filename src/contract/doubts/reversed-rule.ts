import { NO_DOUBTS, type DoubtedBody, type DoubtRule } from './doubt.js';

type Bound = number | string;

/** Two fields of which the first must not be above the second: numbers, or days as text. */
export function reversedRule(lower: string, upper: string): DoubtRule {
  return (body) => reversed(lower, body[lower], upper, body[upper]);
}

/** The same of two salaries, which can be compared in one currency only. */
export function reversedSalaryRule(lower: string, upper: string): DoubtRule {
  return (body) => {
    const low = body[lower] as DoubtedBody | null | undefined;
    const high = body[upper] as DoubtedBody | null | undefined;
    if (typeof low !== 'object' || typeof high !== 'object' || low === null || high === null)
      return NO_DOUBTS;
    if (low.currency !== high.currency) return NO_DOUBTS;
    return reversed(`${lower}.amount`, low.amount, `${upper}.amount`, high.amount);
  };
}

function reversed(lower: string, low: unknown, upper: string, high: unknown) {
  if (!isBound(low) || !isBound(high) || typeof low !== typeof high || low <= high) return NO_DOUBTS;
  return [
    {
      field: lower,
      code: 'doubtful' as const,
      message: `is ${typeof low === 'string' ? 'after' : 'above'} ${upper}`,
      value: `${String(low)} > ${String(high)}`,
      hint: 'Are the two columns exchanged? Correct the query, or return null where the source has no limit.',
      ruledOut: true,
    },
  ];
}

function isBound(value: unknown): value is Bound {
  return typeof value === 'number' || typeof value === 'string';
}
