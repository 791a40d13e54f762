/** The next of 1, 2, 5, 10, 20, 50 … that is not below `value`. Pure. */
export function niceMaximum(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
