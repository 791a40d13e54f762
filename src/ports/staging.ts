import type { EntityName } from '../domain/entity-name.js';
import type { Issue } from '../domain/issue.js';
import type { JsonObject } from '../domain/json.js';

/**
 * One finding of a sweep, not yet published.
 * - `new`, `changed`: a payload to be wanted from now on.
 * - `touched`: only the row version is another.
 * - `invalid`: nothing is sent of it; what was wanted before stays noted.
 * - `vanished`: no longer in the source; `desiredHash` null: nothing is wanted any more.
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
}

/** A key that was written anew for the same platform id (a UUID in another case): the record goes on under it. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** Whether the old key counts as vanished in this sweep. */
  readonly vanishedNow: boolean;
  /** Whether the new key counts as new; false: its row is invalid. */
  readonly wasNew: boolean;
}

/** What is stored with the last part of a sweep. */
export interface SweepMark {
  readonly fingerprint: string;
  readonly full: boolean;
  /** Database time when the sweep began, so that a full sweep asked for meanwhile is not forgotten. */
  readonly startedAt: string;
}

/** Findings wait here until the guards have judged them. One sweep at a time: the token is the sweep lease's. */
export interface Staging {
  /** Forgets everything staged. */
  clear(): Promise<void>;
  stage(token: bigint, entity: EntityName, findings: readonly StagedFinding[]): Promise<void>;
  /** Two staged keys, or a staged and a known one, with one platform id; null when there are none. */
  duplicatePlatformId(
    token: bigint,
    entity: EntityName,
  ): Promise<{ readonly keys: readonly [string, string]; readonly platformId: string } | null>;
  /** Finds renamed keys and turns each pair of `vanished` and `new` into one `changed`. */
  resolveRenamings(token: bigint, entity: EntityName): Promise<readonly Renaming[]>;
  sampleKeys(
    token: bigint,
    entity: EntityName,
    kind: StagedFinding['kind'],
    count: number,
  ): Promise<readonly string[]>;
  /**
   * Publishes in short transactions, each of which checks the sweep lease; the last one stores `mark`.
   * Errors: SyncError `lease-lost`.
   */
  publish(token: bigint, entity: EntityName, renamings: readonly Renaming[], mark: SweepMark): Promise<void>;
}
