import type { Bar, ChartRange } from './chart-bars.js';

/** The numbers beside the chart, the largest first. `maximum`: of `niceMaximum`. Pure. */
export function countTicks(maximum: number): readonly number[] {
  const half = maximum / 2;
  return Number.isInteger(half) ? [maximum, half, 0] : [maximum, 0];
}

/** A mark below the chart. */
export interface TimeTick {
  /** Place of its bar. */
  readonly index: number;
  readonly at: Date;
  /** It shows a day; else an hour. */
  readonly day: boolean;
  /** Left out where there is little room. */
  readonly minor: boolean;
}

/** The marks below the bars of a range: hours of a day, midnights, or every fifth day. Pure. */
export function timeTicks(bars: readonly Bar[], range: ChartRange): readonly TimeTick[] {
  // The text of a mark begins at its bar, so the last bars have no room for one.
  const last = bars.length * 0.9;
  return bars.flatMap(({ from, hourOfDay }, index) => {
    const tick = (day: boolean, minor: boolean) => (index > last ? [] : [{ index, at: from, day, minor }]);
    if (range === '6h') return tick(false, index % 2 === 1);
    if (range === '48h') return hourOfDay % 6 === 0 ? tick(hourOfDay === 0, hourOfDay % 12 !== 0) : [];
    if (range === '7d') return hourOfDay === 0 ? tick(true, index % 8 !== 0) : [];
    return index % 5 === 0 ? tick(true, index % 10 !== 0) : [];
  });
}
