import type { DeliveryKind } from '../domain/report.js';
import type { EntityName } from '../domain/names.js';
import type { JsonObject } from '../domain/row.js';
import type { Fence } from './leases.js';

/** The position of a pass over the queue; null: its beginning. */
export interface QueuePosition {
  readonly unacknowledged: boolean;
  readonly key: string;
}

/** A record that this process may send once. */
export interface Claim {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  readonly requestId: string;
  /** Database time of the claim. */
  readonly claimedAt: string;
  /** An earlier attempt of this change under the same Request-Id got no reply. */
  readonly reused: boolean;
  /** Hash and payload of what is sent. */
  readonly hash: string;
  readonly payload: JsonObject;
  /** Failed attempts so far of this payload. */
  readonly attempts: number;
  /** The platform accepted this payload; it is sent again only for confirmation. */
  readonly confirming: boolean;
  /** The parent under which it is sent; null for an entity without parent. */
  readonly parentPlatformId: string | null;
  /** The parent's reference and last acknowledged payload; null for an entity without parent. */
  readonly parent: { readonly reference: string | number; readonly payload: JsonObject } | null;
  /** The stored data of the attempt before: a claim handed back unsent restores it. */
  readonly previousAttemptAt: string | null;
  /** This payload has failed before, and the area has answered other requests since: a failure is the record's own. */
  readonly failsAlone: boolean;
  /** The result of the last attempt in this push; null: not tried in it yet. */
  readonly previousOutcome: 'accepted' | 'deferred' | null;
  readonly unacknowledged: boolean;
}

/** What the journal notes of a request beside its outcome. */
export interface SentRequest {
  readonly platformId: string;
  readonly parentPlatformId: string | null;
  readonly kind: DeliveryKind;
  readonly operation: string;
  readonly payloadHash: string;
  /** Database time of the claim. */
  readonly claimedAt: string;
}

interface OutcomeOf {
  readonly entity: EntityName;
  readonly key: string;
  readonly requestId: string;
  /** Absent: nothing was sent, so the journal has nothing of it. */
  readonly sent?: SentRequest;
}

/** The outcome of a claim. It counts only while the claim is still ours. */
export type Outcome = OutcomeOf &
  (
    | {
        readonly kind: 'accepted';
        readonly hash: string;
        readonly payload: JsonObject;
        /** The parent under which it was sent; null: it has none. */
        readonly parentPlatformId: string | null;
        /** Null: the platform has deleted it. */
        readonly reference: string | null;
        readonly remoteId: string | null;
        /** What to keep of the reply; null: nothing. */
        readonly details: JsonObject | null;
        readonly statusCode: number;
      }
    | { readonly kind: 'refused'; readonly hash: string; readonly statusCode: number; readonly error: string }
    | {
        readonly kind: 'deferred';
        readonly hash: string;
        /** False: without reply. What the platform holds is unknown and must be confirmed. */
        readonly known: boolean;
        readonly delayMs: number;
        /** It uses up an attempt; what was not reached does not. */
        readonly counts: boolean;
        /** The last of its attempts: rejected from now on. */
        readonly exhausted: boolean;
        /** An earlier attempt under the same Request-Id is still unanswered. */
        readonly reused: boolean;
        readonly statusCode: number | null;
        readonly error: string;
      }
    | {
        /** Not processed: the record is as it was before the claim, and no attempt is used up. */
        readonly kind: 'handed-back';
        /** False: it may have been processed, so it must be confirmed. */
        readonly known: boolean;
        /** A reply that does not judge the record (401, 403, 429, a redirect); null: nothing was sent. */
        readonly reply: { readonly statusCode: number; readonly error: string } | null;
        readonly previousAttemptAt: string | null;
        /** An earlier attempt under the same Request-Id is still unanswered. */
        readonly reused: boolean;
      }
  );

/** Refusals and acceptances of an entity under its mapping fingerprint, kept across runs. */
export interface Tally {
  readonly entity: EntityName;
  /** The mapping under which it was counted; it does not count under another. Null: none yet. */
  readonly fingerprint: string | null;
  readonly refusedInARow: number;
  readonly acceptedOnce: boolean;
}

/** What taking over needs to know of an entity. */
export interface TakeOver {
  readonly timeoutMs: (entity: EntityName) => number;
  /** What the journal calls the request of a claim. Its payload is null when something else is desired by now. */
  readonly kindOf: (
    entity: EntityName,
    sent: {
      readonly hash: string | null;
      readonly payload: JsonObject | null;
      readonly unacknowledged: boolean;
    },
  ) => DeliveryKind;
}

/** The queue is the ledger itself: every record whose desired hash differs from the acknowledged one. */
export interface Queue {
  /**
   * Claims up to `limit` records after `position`, committed when this resolves. Errors: SyncError `lease-lost` when
   * there is no claim because the push lease is lost.
   */
  claim(options: {
    readonly fence: Fence;
    readonly entity: EntityName;
    readonly position: QueuePosition | null;
    /** Only records that the platform has accepted before: changes and closings, not new ones. */
    readonly changesOnly?: boolean;
    readonly limit: number;
    /** False: without records that are to be deleted. */
    readonly deletions: boolean;
    /** Only records whose payload has not failed yet. */
    readonly untried?: boolean;
    /** Also records that are deferred until later; the one whose last attempt is the longest ago goes first. */
    readonly evenDeferred?: boolean;
    /** `claimedAt` of the first claim of this push; null: it has none yet. */
    readonly since: string | null;
  }): Promise<readonly Claim[]>;
  /**
   * Claims one record that is in the ledger, whatever its status, to send this payload under this Request-Id; committed
   * when this resolves. Null: it is not there, or claimed. Its `parent` is null. Errors: SyncError `lease-lost`.
   */
  claimRecord(options: {
    readonly fence: Fence;
    readonly entity: EntityName;
    readonly key: string;
    readonly requestId: string;
    /** Of the payload that is sent. */
    readonly hash: string;
    readonly payload: JsonObject;
  }): Promise<Claim | null>;
  /**
   * Writes a group of outcomes and what the journal has of them in one transaction; gives the number of children to send again because their parent came
   * back with another reference. Errors: SyncError `lease-lost`, after it wrote what still counts.
   */
  record(options: {
    readonly fence: Fence;
    readonly outcomes: readonly Outcome[];
    readonly tallies: readonly Tally[];
    readonly timeoutMs: (entity: EntityName) => number;
    /** The run that sends; absent or null: the worker. */
    readonly runId?: string | null;
  }): Promise<{ readonly childrenToResend: number }>;
  /**
   * Ends all claims of these entities (null: of all), by any process: their outcome is unknown, also in the journal. For a push that has
   * none of them under way. Gives their number. Errors: SyncError `lease-lost`.
   */
  takeOver(fence: Fence, among: readonly EntityName[] | null, options: TakeOver): Promise<number>;
  /** Gives an attempt back to records that failed only because their whole area did. */
  forgiveAttempts(entity: EntityName, keys: readonly string[]): Promise<void>;
  /** Those of these entities that have something to send; the one with the longest ago attempt goes first. */
  leastRecentlyTried(among: readonly EntityName[]): Promise<readonly EntityName[]>;
  /** Makes deferred records due now that used up no attempt: not they were to blame. */
  retryBlameless(entity: EntityName): Promise<void>;
}
