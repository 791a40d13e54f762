export type LeaseName = 'sweep' | 'push';

export interface Lease {
  readonly name: LeaseName;
  /** Fencing token: grows with every holder. */
  readonly token: bigint;
  /** Milliseconds since the lease of the holder before ended; null: there was none. */
  readonly idleMs: number | null;
}

export interface LeaseHolder {
  readonly name: LeaseName;
  readonly holder: string;
  readonly secondsLeft: number;
}

/** Named rows with a fencing token; times are the database's clock. */
export interface Leases {
  /** The lease, or who holds it. */
  acquire(
    name: LeaseName,
    holder: string,
    ttlMs: number,
  ): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }>;
  /** False: it is no longer ours. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  /** Who holds which now. */
  holders(): Promise<readonly LeaseHolder[]>;
}
