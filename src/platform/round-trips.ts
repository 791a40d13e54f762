/** The measured time between request and reply, as far as the rate limit may rely on it. */
export interface RoundTrips {
  /** Called when an attempt starts, with the moment in milliseconds. */
  start(at: number): void;
  /** Called when it has ended, with its round trip in milliseconds; null: not known, so it does not count. */
  end(endedAt: number, tripMs: number | null): void;
  /** The smallest round trip in milliseconds; 0 while too few were seen. */
  smallest(): number;
}

/**
 * The first round trips include connecting and are longer than later ones, so the first
 * `warmUp` do not count. After a quiet time the server may have closed every connection, and the warm-up begins
 * again; the smallest round trip stays, because a smaller one is never wrong.
 */
export function createRoundTrips(options: { warmUp: number; forgetAfterMs: number }): RoundTrips {
  let seen = 0;
  let running = 0;
  let lastEnd = 0;
  let smallest = Number.POSITIVE_INFINITY;

  return {
    start(at) {
      if (running === 0 && at - lastEnd > options.forgetAfterMs) seen = 0;
      running++;
    },
    end(endedAt, tripMs) {
      running--;
      lastEnd = endedAt;
      if (tripMs === null) return;
      seen++;
      smallest = Math.min(smallest, tripMs);
    },
    smallest() {
      return seen > options.warmUp ? smallest : 0;
    },
  };
}
