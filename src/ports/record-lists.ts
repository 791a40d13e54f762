import type { OperationName } from '../contract/operation.js';
import type { Issue } from '../domain/issue.js';
import type { IssueGroup } from '../domain/issue-group.js';
import type { EntityName, RecordStatus } from '../domain/names.js';
import type { InvalidReasons } from '../domain/reason.js';
import type { PlatformState, ShownState } from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';
import type { Fence } from './clock.js';
import type { EndingEntity } from './ledger.js';

/**
 * Records in lists: for people, for reading back, and for sending again.
 */

/** A record as lists show it: no row and no payload. */
export interface ListedRecord {
  readonly key: string;
  /** What names it for people, from the desired payload or else the acknowledged one; null: nothing does. */
  readonly title: string | null;
  readonly status: RecordStatus;
  /** The errors of its row; empty: none. */
  readonly issues: readonly Issue[];
  readonly lastError: string | null;
  readonly lastStatusCode: number | null;
  readonly attemptedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  /** Of a child: its parent's key; null when the ledger does not have it. */
  readonly parentKey: string | null;
  /** The last day, `YYYY-MM-DD`, of one that vanished when it was over; null: not so. */
  readonly expiredOn: string | null;
  /** What the platform shows of it since it accepted it; null: it is live, or nothing is known. */
  readonly atPlatform: ShownState | null;
}

/** A place in a list: that of one record. */
export interface ListPosition {
  readonly key: string;
  /** Its last attempt, microseconds since the Unix epoch; null: never. */
  readonly attemptedUs: number | null;
}

export interface RecordSelection {
  /** Null: any. */
  readonly status: RecordStatus | null;
  /** Part of key or title, whatever its case; null: any. */
  readonly search: string | null;
  /** Part of what the platform answered or of an error of the row, whatever its case; null: any. */
  readonly reason: string | null;
  /** By key, numbers in it by their value, or by last attempt. */
  readonly sort: 'key' | 'attempt';
  readonly descending: boolean;
}

export interface RecordPage {
  readonly records: readonly ListedRecord[];
  /** Where the list goes on; null: this is its end. A page may be short, or empty, before the end. */
  readonly next: ListPosition | null;
}

export interface RecordCount {
  readonly value: number;
  /** There are more than that, or there may be: not all were looked at. */
  readonly more: boolean;
}

/** Records, for people who look through them. */
export interface RecordLists {
  /**
   * The records after that position, at most `limit`; null: from the first. It looks at a bounded number of records, so
   * a search for what is rare takes several pages.
   */
  page(
    entity: EntityName,
    selection: RecordSelection,
    options: { readonly after: ListPosition | null; readonly limit: number },
  ): Promise<RecordPage>;
  /** How many records have that status; counts up to `most`, and among a bounded number of records. */
  count(entity: EntityName, status: RecordStatus | null, most: number): Promise<RecordCount>;
  /**
   * Why records are invalid, with the children that wait for them; the largest effect first, at most `limit` of codes and
   * of others; of the first 20,000.
   */
  invalidReasons(entity: EntityName, limit: number): Promise<InvalidReasons>;
  /** Why records are rejected, the most frequent first; of the first 20,000. */
  rejectedReasons(entity: EntityName, limit: number): Promise<readonly IssueGroup[]>;
  /** Why records wait for a parent that does not come, the most frequent first. */
  waitingReasons(entity: EntityName): Promise<readonly IssueGroup[]>;
}

/** A record to be read back, as the ledger knows it. */
export interface ReadBackRecord {
  readonly key: string;
  readonly platformId: string;
  /** What is desired; for a settled record also what the platform accepted. */
  readonly desiredHash: string;
  readonly payload: JsonObject;
  /** Database time of the last acknowledgement, as text so that no digit is lost; null: never. */
  readonly acknowledgedAt: string | null;
  /** Its own reference, as the platform gave it; null: none. */
  readonly reference: string | null;
  /** The parent's reference as it is sent; null without a parent, or while the parent has none. */
  readonly parentReference: string | null;
  /** What the platform made of it when it was read back last; null: nothing is known. */
  readonly platformState: PlatformState | null;
  readonly platformWord: string | null;
  /** It was accepted so lately that the platform may still be about to show it. */
  readonly mayFollow: boolean;
}

/**
 * - `settled`: acknowledged, with nothing to send, to confirm or under way, and what the platform took down; for `verify`.
 * - `not-live`: of these, the ones of which the platform showed another state than `live`, or none yet.
 * - `unknown`: desired and never acknowledged, with nothing under way; for `adopt`. Pages leave out those that wait for a
 *   parent without reference: the platform cannot hold them under it.
 */
export type ReadBackSet = 'settled' | 'not-live' | 'unknown';

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
  /** So many settled records that are not `not-live`, picked at random, in any order. */
  sample(entity: EntityName, count: number): Promise<readonly ReadBackRecord[]>;
  /** These settled records, by key or platform id. */
  named(entity: EntityName, keys: readonly string[]): Promise<readonly ReadBackRecord[]>;
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
  /** Stores that a record was read back now, unless it was sent meanwhile. */
  noteLooked(entity: EntityName, record: ReadBackRecord): Promise<void>;
  /**
   * Stores what the platform shows of a settled record, unless it was sent meanwhile; null: nothing worth storing. A change
   * goes into the journal as `seen`, with the Find that showed it; `reason` null: it does not.
   */
  noteState(
    entity: EntityName,
    record: ReadBackRecord,
    shown: ShownState | null,
    find: {
      readonly requestId: string;
      readonly operation: OperationName;
      readonly reason: string | null;
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

interface RetryOptions {
  /** Only counts them. */
  readonly preview: boolean;
  /** `removed`: what the platform took down after it had accepted it; it is in neither of the others. */
  readonly status: 'rejected' | 'deferred' | 'removed';
  /** Only those last tried within this many milliseconds; null: whenever. */
  readonly sinceMs: number | null;
  /** Only these, by key or platform id; absent: all. */
  readonly keys?: readonly string[];
  /** Only those that the platform refused like this last; absent: all. */
  readonly refusal?: Refusal;
}

/** What the platform said of a record that it refused. */
export interface Refusal {
  readonly statusCode: number;
  readonly message: string;
}

/** Resend requests by a person, for age, or because a refusal was not about its record. Each ends open claims like an attempt without reply. */
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

/** Records of an entity that are read back unless a number is given. */
export const DEFAULT_SAMPLE = 100;
