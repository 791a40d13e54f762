import type { EntityName } from '../domain/entity-name.js';
import type { JsonObject } from '../domain/json.js';
import type { Fence } from './leases.js';

/** A record to be read back, as the ledger knows it. */
export interface ReadBackRecord {
  readonly key: string;
  readonly platformId: string;
  /** What is desired, which of a settled record is what the platform accepted. */
  readonly desiredHash: string;
  readonly payload: JsonObject;
  /** Database time of the last acknowledgement, as text so that no digit is lost; null: never. */
  readonly acknowledgedAt: string | null;
  /** Of the parent, as it is sent; null without a parent, or while that has none. */
  readonly parentReference: string | null;
}

/**
 * - `settled`: acknowledged, with nothing to send, to confirm or under way: what `verify` looks at.
 * - `unknown`: desired and never acknowledged, with nothing under way: what `adopt` looks at.
 */
export type ReadBackSet = 'settled' | 'unknown';

/** Records to be compared with what the platform holds. */
export interface ReadBacks {
  count(entity: EntityName, set: ReadBackSet): Promise<number>;
  /** The next ones after a key, in the order of `key COLLATE "C"`; none after the last. */
  page(
    entity: EntityName,
    set: ReadBackSet,
    after: string | null,
    limit: number,
  ): Promise<readonly ReadBackRecord[]>;
  /** So many settled records, picked at random, in any order. */
  sample(entity: EntityName, count: number): Promise<readonly ReadBackRecord[]>;
  /** Whether a settled record is still the one that was read: neither changed nor sent meanwhile. */
  isUnchanged(entity: EntityName, record: ReadBackRecord): Promise<boolean>;
  /** How many of these keys are settled now. */
  countSettled(entity: EntityName, keys: readonly string[]): Promise<number>;
  /**
   * Notes that the platform holds an unknown record. `equal`: it is acknowledged with what is desired; otherwise only
   * its links are kept. False: the record changed meanwhile. Errors: SyncError `lease-lost`.
   */
  adopt(
    fence: Fence,
    entity: EntityName,
    record: ReadBackRecord,
    found: { readonly equal: boolean; readonly reference: string; readonly remoteId: string },
  ): Promise<boolean>;
}
