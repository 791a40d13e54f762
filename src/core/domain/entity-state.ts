import type { Hold, HoldCounts, PushHold } from './guard.js';
import type { EntityName } from './names.js';
import type { SourceSight } from './source-sight.js';
import type { KnownDrift } from './trouble/trouble.js';

/** What is known of an entity between runs. */
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
  /** Where the last applied sweep read from; null: there was none, or the server does not show it. */
  readonly source: SourceSight | null;
}

export const ABSENT_ENTITY_STATE: Omit<EntityState, 'entity'> = {
  readAt: '-infinity',
  fingerprint: null,
  lastSweepAt: null,
  lastFullSweepAt: null,
  sinceFullSweepMs: null,
  fullSweepRequested: false,
  lastSuccessAt: null,
  hold: null,
  approval: null,
  pushHold: null,
  refusedInARow: 0,
  acceptedOnce: false,
  inDoubtSince: null,
  foreign: 0,
  source: null,
};
