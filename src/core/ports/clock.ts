/** Time as the decisions see it. Wall time is for stamps, monotonic time for spans. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some fixed moment; never jumps. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export type LeaseName = 'sweep' | 'push';

/** Makes a statement count only while its lease is held. No other holder ever has both values. */
export interface Fence {
  /** Grows with every holder; repeats only when the database goes back in time. */
  readonly token: bigint;
  /** A UUID, random and new with every acquisition. */
  readonly nonce: string;
}

export interface Lease {
  readonly name: LeaseName;
  readonly fence: Fence;
  /**
   * Milliseconds since the lease of the holder before ended; null: there was none. Negative after the database went
   * back in time, because the row may be wrong: the holder before may go on for so long.
   */
  readonly idleMs: number | null;
}

export interface LeaseHolder {
  readonly name: LeaseName;
  readonly holder: string;
  readonly secondsLeft: number;
}
