import type { EntityName } from '../domain/names.js';
import type { Fence } from './leases.js';
import type { EndingEntity } from './records.js';

export interface RetryOptions {
  /** Only counts them. */
  readonly preview: boolean;
  readonly status: 'rejected' | 'deferred';
  /** Only those last tried within this many milliseconds; null: whenever. */
  readonly sinceMs: number | null;
  /** Only these, by key or platform id; absent: all. */
  readonly keys?: readonly string[];
}

/** Resend requests by a person or for age. Each ends open claims like an attempt without reply. */
export interface ResendRequests {
  /** Everything (or these keys) is sent again, links kept; the next sweep reads it again. Gives the number. */
  resync(entity: EntityName, keys: readonly string[] | null, timeoutMs: number): Promise<number>;
  /** Records of that status become pending again, with all attempts. Gives their number. */
  retry(entity: EntityName, options: RetryOptions): Promise<number>;
  /**
   * Synced records that were accepted longer ago than `afterMs` are sent again, spread by key over the second half of
   * that time; not those past their last day, nor closed ones. Gives how many. Errors: SyncError `lease-lost` of the
   * sweep lease.
   */
  refresh(
    fence: Fence,
    entity: EndingEntity,
    times: {
      readonly afterMs: number;
      /** `YYYY-MM-DD` in the platform's zone. */
      readonly today: string;
      readonly timeoutMs: number;
    },
  ): Promise<number>;
}
