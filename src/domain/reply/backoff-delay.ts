/**
 * How long a record waits after a transient failure, in milliseconds: between half and all of
 * min(`maxDelayMs`, `baseDelayMs` × 2ⁿ), n being the retries made before. The spread prevents that records that failed
 * together return together.
 *
 * @param attempts failed attempts so far, this one included (at least 1)
 * @param random a number from 0 up to, not including, 1
 */
export function backoffDelay(
  attempts: number,
  baseDelayMs: number,
  maxDelayMs: number,
  random: number,
): number {
  const longest = Math.min(maxDelayMs, baseDelayMs * 2 ** (Math.max(attempts, 1) - 1));
  return Math.round((longest / 2) * (1 + random));
}
