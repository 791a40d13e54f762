/**
 * How many records may be claimed and not yet answered: a quarter second's worth of the rate, at least the
 * concurrency. It bounds what a kill can repeat.
 */
export function claimLimit(ratePerSecond: number | null, concurrency: number): number {
  return Math.max(concurrency, Math.ceil((ratePerSecond ?? 0) / 4));
}
