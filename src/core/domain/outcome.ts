/** What a sweep found in one entity. */
export interface SweepCounters {
  read: number;
  unchanged: number;
  new: number;
  changed: number;
  /** Newly vanished ones. */
  vanished: number;
  invalid: number;
  /** Of the vanished ones, those whose last day was over; absent: none. */
  expired?: number;
  /** Application statuses only: those whose application did not come by webhook. */
  foreign?: number;
}

/** What a push did with one entity: records, not attempts, each by its last outcome. */
export interface PushCounters {
  sent: number;
  accepted: number;
  rejected: number;
  deferred: number;
}

/** Counters of one entity in one run. */
export interface EntityCounters extends SweepCounters, PushCounters {
  /** What the ledger holds when the run ends. */
  waiting: number;
  /** Everything else that is not at the platform yet, also what an earlier run deferred; not what this one deferred. */
  pending: number;
}

/** An entity's part of the run summary. */
export interface EntityReport extends EntityCounters {
  held: boolean;
  error: { readonly code: string; readonly message: string } | null;
}

/** Records of an entity that are read back unless a number is given. */
export const DEFAULT_SAMPLE = 100;
