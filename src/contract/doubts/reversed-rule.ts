import { NO_DOUBTS, type DoubtedBody, type DoubtRule } from './doubt.js';

/**
 * Two fields, by dotted path, of which the first must not be above the second: numbers, or days as text. `unit`: of each,
 * the field with its unit; they are compared only in the same one.
 */
export function reversedRule(
  lower: string,
  upper: string,
  unit: readonly [string, string] | null = null,
): DoubtRule {
  const [low, high] = [reader(lower), reader(upper)];
  const units = unit?.map(reader) ?? [];
  return (body) => {
    const least = low(body);
    const most = high(body);
    if (!isBound(least) || !isBound(most) || typeof least !== typeof most || least <= most) return NO_DOUBTS;
    if (new Set(units.map((read) => read(body))).size > 1) return NO_DOUBTS;
    return [
      {
        field: lower,
        code: 'doubtful',
        message: `is ${typeof least === 'string' ? 'after' : 'above'} ${upper}`,
        value: `${String(least)} > ${String(most)}`,
        hint: 'Are the two columns exchanged? Correct the query, or return null where the source has no limit.',
        ruledOut: true,
      },
    ];
  };
}

function reader(path: string): (body: DoubtedBody) => unknown {
  const [first = '', second] = path.split('.');
  if (second === undefined) return (body) => body[first];
  return (body) => {
    const part = body[first];
    return typeof part === 'object' && part !== null ? (part as DoubtedBody)[second] : undefined;
  };
}

function isBound(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}
