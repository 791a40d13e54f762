export type LeaseName = 'sweep' | 'push';

/** What a statement is matched by, so that it counts only while its lease is held. Nobody else ever has both. */
export interface Fence {
  /** Grows with every holder, unless the database goes back in time: then it is handed out again. */
  readonly token: bigint;
  /** A UUID, random and new with every acquisition. */
  readonly nonce: string;
}

export interface Lease {
  readonly name: LeaseName;
  readonly fence: Fence;
  /**
   * Milliseconds since the lease of the holder before ended; null: there was none. Negative where the row cannot be
   * relied on, because the database went back in time: so long the holder before may go on.
   */
  readonly idleMs: number | null;
}

export interface LeaseHolder {
  readonly name: LeaseName;
  readonly holder: string;
  readonly secondsLeft: number;
}

/**
 * Named rows; times are the database's clock. Who takes or renews one also looks whether the database went back in time
 * (the row is older than this process has seen it, or comes from another copy), and notes that of all entities.
 */
export interface Leases {
  /** The lease, or who holds it: for no longer than its time to live, wherever its end is. */
  acquire(
    name: LeaseName,
    holder: string,
    ttlMs: number,
  ): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }>;
  /** False: it is no longer ours, or the database went back in time. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  /** Who holds which now. */
  holders(): Promise<readonly LeaseHolder[]>;
}
