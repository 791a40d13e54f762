/** A place in the rate of one area. */
export interface Place {
  /** Nothing was sent: the place is free at once. */
  release(): void;
  /** The connection has just taken the request. Never called: the time of the attempt does not count as a round trip. */
  written(): void;
}

/** Never more than the rate in any sliding second at the server, and never more than the concurrency at a time. */
export interface RateLimit {
  /**
   * Runs `attempt` when a place is free; an `urgent` one takes the next place, before all that wait. Rejects only with
   * what `attempt` rejects with, or with the reason of `signal` when that aborts before `attempt` is run; then it never
   * is.
   */
  schedule<T>(attempt: (place: Place) => Promise<T>, urgent?: boolean, signal?: AbortSignal): Promise<T>;
}
