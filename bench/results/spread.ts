import type { Spread } from './figure.js';

/** Median, least and most of some rounds. Pure. */
export function spread(rounds: readonly number[]): Spread {
  const sorted = rounds.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
  return { median: (lower + upper) / 2, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}
