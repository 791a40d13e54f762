import type { KnownDrift } from '../domain/trouble/trouble.js';
import type { EntityName } from '../domain/names.js';
import type { Fence } from './leases.js';
import type { Hold, HoldCounts, PushHold } from '../domain/guard.js';

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
   * Since when the platform may hold something else than what counts as acknowledged, because the database went back in
   * time; null: not in doubt.
   */
  readonly inDoubtSince: Date | null;
  /** What read-backs found and nobody has repaired since; left out: nothing. */
  readonly drift?: KnownDrift;
  /** Rows of the last applied sweep whose application never came by webhook: in no ledger, never sent. */
  readonly foreign: number;
}

/** What an approval ended. */
export interface Approved {
  /** The hold of the sweep that was approved; null: none. */
  readonly sweep: Hold | null;
  readonly push: PushHold | null;
  /** Rejected records that are pending again. */
  readonly rearmed: number;
  /** The sweep stays held: it found more than what was seen. */
  readonly grown: boolean;
}

/** What is known per entity between runs. */
export interface EntityStates {
  read(entity: EntityName): Promise<EntityState>;
  /** By the holder of the sweep lease. Errors: SyncError `lease-lost`. */
  hold(fence: Fence, entity: EntityName, hold: Hold): Promise<void>;
  /** By the holder of the push lease. Errors: SyncError `lease-lost`. */
  holdPush(fence: Fence, entity: EntityName, hold: PushHold): Promise<void>;
  requestFullSweep(entity: EntityName): Promise<void>;
  /**
   * A person approves what a guard stopped. `seen`: the counts that were shown; a sweep that found more meanwhile stays
   * held. Null, or left out: whatever is held now.
   */
  approve(entity: EntityName, seen?: HoldCounts | null): Promise<Approved>;
  /**
   * For an entity in doubt: clears the acknowledgements of records that are not settled, which cannot be read back, so
   * that they are sent when they may be. Open claims end like an attempt without reply.
   */
  distrust(entity: EntityName, timeoutMs: number): Promise<void>;
  /**
   * All records of the entity were compared or sent again since the database time `checkedFrom`. False: the doubt is
   * not `graceMs` older than that, so an earlier request may have arrived later.
   */
  endDoubt(entity: EntityName, checkedFrom: string, graceMs: number): Promise<boolean>;
  /** Nothing is due: stores the last sweep as a success. */
  noteSuccess(entity: EntityName): Promise<void>;
}
