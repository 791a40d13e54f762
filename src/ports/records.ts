import type { EntityName, RecordStatus } from '../domain/names.js';
import type { Issue } from '../domain/issue.js';
import type { JsonObject } from '../domain/row.js';
import type { DeliveryDays } from './deliveries.js';
import type { BlockedRecord, Deferral } from '../domain/reason.js';

export interface StatusCounts extends Record<RecordStatus, number> {
  /** Waiting records whose parent is absent, vanished, invalid or rejected. */
  readonly blocked: number;
  /** Vanished records whose last day was over when they left the source. */
  readonly expired: number;
  /** When the oldest pending or deferred record was first desired as it is. */
  readonly oldestPendingAt: Date | null;
}

export interface RecordView {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  readonly reference: string | null;
  readonly remoteId: string | null;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly desiredHash: string | null;
  readonly desiredPayload: JsonObject | null;
  readonly acknowledgedHash: string | null;
  readonly acknowledgedAt: Date | null;
  readonly invalidReason: readonly Issue[] | null;
  readonly vanishedAt: Date | null;
  /** It vanished when its last day was over. */
  readonly expired: boolean;
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly confirmAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly claimed: boolean;
  readonly lastReply: {
    readonly statusCode: number | null;
    readonly requestId: string | null;
    readonly error: string | null;
  } | null;
  /** Of a child: its parent as the ledger knows it; null when it is not there. */
  readonly parent: {
    readonly key: string;
    readonly status: RecordStatus;
    readonly reference: string | number | null;
    readonly payload: JsonObject | null;
  } | null;
}

/** How the records of an entity end: fields of the body; null: it has none. */
export interface EndingEntity {
  readonly name: EntityName;
  readonly lastDay: string | null;
  readonly statusField: string | null;
  /** The status of one that is closed. */
  readonly closedStatus: string;
}

/** Reads the ledger for `status`, `explain` and the end of a run. */
export interface Records {
  counts(entity: EntityName): Promise<StatusCounts>;
  /** By key; a UUID also by platform id, so that its case does not matter. */
  find(entity: EntityName, key: string): Promise<RecordView | null>;
  /** The parent of a record that is not in the ledger yet. */
  parent(entity: EntityName, platformId: string): Promise<RecordView['parent']>;
  /**
   * Records in the source whose last day is between two days, `YYYY-MM-DD`, and that are not closed; the soonest
   * first. None of an entity that has no last day.
   */
  expiring(
    entity: EndingEntity,
    options: { readonly from: string; readonly to: string; readonly limit: number },
  ): Promise<readonly { readonly key: string; readonly lastDay: string }[]>;
  /** How many records left the source on these days because their last day was over; an entity with none is missing. */
  expired(days: DeliveryDays): Promise<Readonly<Record<EntityName, number>>>;
  /** Since when the platform lacks the oldest deferred record, and the latest failure; null: none is deferred. */
  deferral(entity: EntityName): Promise<Deferral | null>;
  /** The first records that wait for a parent that is absent, vanished, invalid or rejected. */
  blocked(entity: EntityName, limit: number): Promise<readonly BlockedRecord[]>;
}
