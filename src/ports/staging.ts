import type { EntityName } from '../domain/names.js';
import type { Issue } from '../domain/issue.js';
import type { JsonObject } from '../domain/row.js';
import type { Fence } from './leases.js';

/**
 * One finding of a sweep, not yet published.
 * - `new`, `changed`: a payload that is desired from now on.
 * - `touched`: only the row version differs.
 * - `invalid`: not sent; what was desired before stays stored.
 * - `vanished`: no longer in the source; `desiredHash` null: nothing is desired any more. `parentPlatformId` null:
 * unchanged.
 */
export interface StagedFinding {
  readonly kind: 'new' | 'changed' | 'touched' | 'invalid' | 'vanished';
  readonly key: string;
  readonly platformId: string | null;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly desiredHash: string | null;
  readonly desiredPayload: JsonObject | null;
  readonly invalidReason: readonly Issue[] | null;
  /** What the map needs at the next sweep; null: nothing. */
  readonly noted?: JsonObject | null;
  /** Vanished, and its last day was over. */
  readonly expired?: true;
}

/** A new spelling of a key with the same platform id (a UUID in another case): the record stays. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** Whether the old key counts as vanished in this sweep. */
  readonly vanishedNow: boolean;
  /** Whether the new key counts as new; false: its row is invalid. */
  readonly wasNew: boolean;
}

/** Two keys of one platform id. */
export interface Displaced {
  readonly from: string;
  readonly to: string;
  readonly platformId: string;
}

/** What is stored with the last part of a sweep. */
export interface SweepStamp {
  readonly fingerprint: string;
  readonly full: boolean;
  /** Database time when the sweep began, so that a full sweep requested meanwhile is not lost. */
  readonly startedAt: string;
  /** Rows whose application never came by webhook; left out: none. */
  readonly foreign?: number;
}

/** Findings wait here until the guards have judged them. One sweep at a time: the fence is the sweep lease's. */
export interface Staging {
  /**
   * Deletes everything staged; `count`: how many findings that is, if it is known, because after many the table is tidied
   * too. Errors: SyncError `lease-lost`, so that a newer sweep keeps its findings.
   */
  clear(fence: Fence, count?: number): Promise<void>;
  /** Errors: SyncError `lease-lost`. */
  stage(fence: Fence, entity: EntityName, findings: readonly StagedFinding[]): Promise<void>;
  /** Everything is staged: refreshes the planner's statistics, without which `count` findings may take hours. */
  complete(count: number): Promise<void>;
  /**
   * Two staged keys with one platform id; at most one pair. `idsMayDiffer`: the ledger's ids may have been made with
   * another namespace; if not, `touched` records are left out.
   */
  doubled(fence: Fence, entity: EntityName, idsMayDiffer: boolean): Promise<readonly Displaced[]>;
  /** Known keys without a `vanished` finding whose platform id is staged under another key. */
  displaced(fence: Fence, entity: EntityName, idsMayDiffer: boolean): Promise<readonly Displaced[]>;
  /** Finds renamed keys and turns each pair of `vanished` and `new` into one `changed`. `removed`: findings it took out. */
  resolveRenamings(
    fence: Fence,
    entity: EntityName,
    idsMayDiffer: boolean,
  ): Promise<{ readonly renamings: readonly Renaming[]; readonly removed: number }>;
  /** The first of them, as `recordName` has it; expired ones, which no guard counts, come last. */
  sampleKeys(
    fence: Fence,
    entity: EntityName,
    kind: StagedFinding['kind'],
    count: number,
  ): Promise<readonly string[]>;
  /**
   * Publishes in short transactions, each of which checks the sweep lease; the last one stores `stamp`. Null: these are
   * single records and not the result of a sweep, so fingerprint, times and hold of the entity stay.
   * Errors: SyncError `lease-lost`; `unbalanced` when the number of findings is not `expected` (a crash of the database
   * empties the table); `interrupted` when `signal` aborts in between. In each case the stamp is not stored,
   * and the next sweep finds what is missing.
   */
  publish(
    fence: Fence,
    entity: EntityName,
    sweep: {
      readonly renamings: readonly Renaming[];
      readonly expected: number;
      readonly stamp: SweepStamp | null;
      readonly signal: AbortSignal;
      /** Called after each transaction with the number of findings published. */
      readonly onPublished?: (count: number) => void;
    },
  ): Promise<void>;
}
