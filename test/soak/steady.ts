/** What was measured again and again while one process ran, in the order of time. */
export interface Trend {
  /** Median of the second third of the samples. */
  readonly before: number;
  /** Median of the last third. */
  readonly after: number;
  readonly max: number;
  readonly samples: number;
}

/** The first third is left out: a process that has just begun grows. Throws when there are fewer than nine samples. */
export function trendOf(samples: readonly number[]): Trend {
  if (samples.length < 9) throw new Error(`only ${samples.length} samples: let it run longer`);
  const third = Math.floor(samples.length / 3);
  return {
    before: median(samples.slice(third, 2 * third)),
    after: median(samples.slice(2 * third)),
    max: Math.max(...samples),
    samples: samples.length,
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}
