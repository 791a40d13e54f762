/**
 * Most arrivals in [t, t + 1,000) for any t; `arrivals` ascending, in milliseconds. Looks at every window there is.
 *
 * @param since where a moment is not known better, the earliest that each may have arrived: then the most that came within
 *   a second for sure
 */
export function peakPerSecond(arrivals: readonly number[], since = arrivals): number {
  let peak = 0;
  let oldest = 0;
  arrivals.forEach((at, index) => {
    while (at - (since[oldest] ?? at) >= 1_000) oldest++;
    peak = Math.max(peak, index - oldest + 1);
  });
  return peak;
}

/**
 * Arrivals per second once the limit knows its round trips, which takes it two times the rate. Measured as the mean
 * time from one arrival to the one `rate` later: they may come in bursts, and a count divided by the time from first to
 * last would then count one burst too many.
 */
export function sustainedPerSecond(arrivals: readonly number[], rate: number): number {
  const periods = periodsOf(arrivals, rate);
  return (1_000 * rate * periods.length) / periods.reduce((sum, period) => sum + period, 0);
}

/** The same by the median time, on which seconds that a virtual machine stood still have no say. */
export function usualPerSecond(arrivals: readonly number[], rate: number): number {
  const periods = periodsOf(arrivals, rate).sort((left, right) => left - right);
  return (1_000 * rate) / (periods[Math.floor(periods.length / 2)] ?? Number.POSITIVE_INFINITY);
}

function periodsOf(arrivals: readonly number[], rate: number): number[] {
  const settled = arrivals.slice(2 * rate);
  return settled.slice(rate).map((at, index) => at - (settled[index] ?? at));
}
