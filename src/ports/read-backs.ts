import type { EntityName } from '../domain/names.js';
import type { JsonObject } from '../domain/row.js';
import type { Fence } from './leases.js';

/** A record to be read back, as the ledger knows it. */
export interface ReadBackRecord {
  readonly key: string;
  readonly platformId: string;
  /** What is desired; for a settled record also what the platform accepted. */
  readonly desiredHash: string;
  readonly payload: JsonObject;
  /** Database time of the last acknowledgement, as text so that no digit is lost; null: never. */
  readonly acknowledgedAt: string | null;
  /** The parent's reference as it is sent; null without a parent, or while the parent has none. */
  readonly parentReference: string | null;
}

/**
 * - `settled`: acknowledged, with nothing to send, to confirm or under way; for `verify`.
 * - `unknown`: desired and never acknowledged, with nothing under way; for `adopt`. Pages leave out those that wait for a
 *   parent without reference: the platform cannot hold them under it.
 */
export type ReadBackSet = 'settled' | 'unknown';

/** Records to be compared with what the platform holds. */
export interface ReadBacks {
  count(entity: EntityName, set: ReadBackSet): Promise<number>;
  /** Unknown ones that wait for a parent without reference. */
  countWaiting(entity: EntityName): Promise<number>;
  /** The next ones after a key, in the order of `key COLLATE "C"`; none after the last. */
  page(
    entity: EntityName,
    set: ReadBackSet,
    after: string | null,
    limit: number,
  ): Promise<readonly ReadBackRecord[]>;
  /** So many settled records, picked at random, in any order. */
  sample(entity: EntityName, count: number): Promise<readonly ReadBackRecord[]>;
  /** Whether a settled record is still as it was read: neither changed nor sent meanwhile. */
  isUnchanged(entity: EntityName, record: ReadBackRecord): Promise<boolean>;
  /** Records that a read-back found to differ or to be missing, and that the platform has not accepted since. */
  drifted(entity: EntityName): Promise<readonly string[]>;
  /**
   * Stores what a read-back found: `different` of records as they were read (sent meanwhile: not stored), `equal` of
   * records that were known to differ.
   */
  noteDrift(
    entity: EntityName,
    found: {
      readonly different: readonly Pick<ReadBackRecord, 'key' | 'acknowledgedAt'>[];
      readonly equal: readonly string[];
    },
  ): Promise<void>;
  /** How many of these keys are settled now. */
  countSettled(entity: EntityName, keys: readonly string[]): Promise<number>;
  /**
   * Stores that the platform holds an unknown record. `equal`: the desired payload is acknowledged; if not, only its
   * links are kept. False: the record changed meanwhile. Errors: SyncError `lease-lost`.
   */
  adopt(
    fence: Fence,
    entity: EntityName,
    record: ReadBackRecord,
    found: {
      readonly equal: boolean;
      readonly reference: string | number | null;
      readonly remoteId: string | null;
    },
  ): Promise<boolean>;
}
