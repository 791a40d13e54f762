import type { EntityName } from '../domain/entity-name.js';
import type { Fence } from './leases.js';
import type { Hold, PushHold, HoldCounts } from '../domain/guard/hold.js';

export interface EntityState {
  readonly entity: EntityName;
  /** Database time of this reading. */
  readonly readAt: string;
  readonly fingerprint: string | null;
  readonly lastSweepAt: Date | null;
  readonly lastFullSweepAt: Date | null;
  /** Milliseconds since the last full sweep by the database's clock; null: never. */
  readonly sinceFullSweepMs: number | null;
  readonly fullSweepRequested: boolean;
  readonly lastSuccessAt: Date | null;
  readonly hold: Hold | null;
  readonly approval: HoldCounts | null;
  readonly pushHold: PushHold | null;
  readonly refusedInARow: number;
  readonly acceptedOnce: boolean;
  /**
   * Since when the platform may hold something else than what counts as acknowledged, because the database went back
   * in time; null: it may not.
   */
  readonly inDoubtSince: Date | null;
}

/** What is known per entity between runs. */
export interface EntityStates {
  read(entity: EntityName): Promise<EntityState>;
  /** By the holder of the sweep lease. Errors: SyncError `lease-lost`. */
  hold(fence: Fence, entity: EntityName, hold: Hold): Promise<void>;
  /** By the holder of the push lease. Errors: SyncError `lease-lost`. */
  holdPush(fence: Fence, entity: EntityName, hold: PushHold): Promise<void>;
  requestFullSweep(entity: EntityName): Promise<void>;
  /** A human approves what a guard stopped. */
  approve(
    entity: EntityName,
  ): Promise<{ readonly sweep: Hold | null; readonly push: PushHold | null; readonly rearmed: number }>;
  /**
   * Of an entity in doubt: nothing is believed any more of what cannot be read back, because it is not settled, so that
   * it is sent when it may be. Open claims end like an attempt without reply.
   */
  distrust(entity: EntityName, timeoutMs: number): Promise<void>;
  /**
   * Everything of the entity was compared, or is sent again, since the database time `checkedFrom`. False: the doubt is
   * not older than that by `graceMs`, so that a request of before may still have come after.
   */
  endDoubt(entity: EntityName, checkedFrom: string, graceMs: number): Promise<boolean>;
  /** Notes a moment with nothing due: the last sweep was a success. */
  noteSuccess(entity: EntityName): Promise<void>;
}
