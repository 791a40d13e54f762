import type { EntityName } from '../domain/entity-name.js';
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
}

/** What is known per entity between runs. */
export interface EntityStates {
  read(entity: EntityName): Promise<EntityState>;
  /** By the holder of the sweep lease. Errors: SyncError `lease-lost`. */
  hold(sweepToken: bigint, entity: EntityName, hold: Hold): Promise<void>;
  /** By the holder of the push lease. Errors: SyncError `lease-lost`. */
  holdPush(pushToken: bigint, entity: EntityName, hold: PushHold): Promise<void>;
  requestFullSweep(entity: EntityName): Promise<void>;
  /** A human permits what a guard stopped. */
  approve(
    entity: EntityName,
  ): Promise<{ readonly sweep: Hold | null; readonly push: PushHold | null; readonly rearmed: number }>;
  /** Notes a moment with nothing due: the last sweep was a success. */
  noteSuccess(entity: EntityName): Promise<void>;
}
