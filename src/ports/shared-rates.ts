/** Times in a rate that several processes share. */
export interface SharedSlots {
  /** The database's clock at its answer, milliseconds since the Unix epoch. */
  readonly at: number;
  /** Milliseconds from `at` until the first slot; 0: at once. */
  readonly waitMs: number;
  /** Milliseconds between two slots. */
  readonly stepMs: number;
  readonly count: number;
}

/** A wait that the platform asked for. */
export interface SharedPause {
  readonly credential: string;
  readonly until: Date;
}

/** One row for each credential: it hands out times, not permissions (GCRA). The database's clock counts. */
export interface SharedRates {
  /** The database's clock, milliseconds since the Unix epoch. */
  now(): Promise<number>;
  /** The next `count` slots of this credential. `ratePerSecond`: requests in any sliding second. */
  reserve(credential: string, ratePerSecond: number, count: number): Promise<SharedSlots>;
  /** Milliseconds for which the platform asked all to wait; 0: free. */
  pauseLeft(credential: string): Promise<number>;
  /** No process sends with this credential before so many milliseconds are over. A longer pause stays. */
  pause(credential: string, ms: number): Promise<void>;
  /** All that stand, by credential. */
  pauses(): Promise<readonly SharedPause[]>;
  /** Ends it. False: there is none. */
  endPause(credential: string): Promise<boolean>;
}
