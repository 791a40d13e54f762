const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The largest unit that a span (milliseconds) fills, with its length in milliseconds; a second for what is shorter. */
export function largestUnit(ms: number): (typeof UNITS)[number] {
  return UNITS.find(([, length]) => ms >= length) ?? ['second', 1_000];
}
