import type { EntityName } from '../domain/entity-name.js';
import type { JsonObject } from '../domain/json.js';
import type { Fence } from './leases.js';

/** Where a pass over the queue has got to; null: at its beginning. */
export interface QueuePosition {
  readonly unacknowledged: boolean;
  readonly key: string;
}

/** A record that is ours to send once. */
export interface Claim {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  readonly requestId: string;
  /** An earlier attempt of this very change went out under the same Request-Id and got no reply. */
  readonly reused: boolean;
  /** Hash and payload of what is sent. */
  readonly hash: string;
  readonly payload: JsonObject;
  /** Failed attempts so far of this payload. */
  readonly attempts: number;
  /** The platform is known to have accepted this very payload; sent again only to be sure. */
  readonly confirming: boolean;
  /** Under which parent it is sent; null for an entity without parent. */
  readonly parentPlatformId: string | null;
  /** The parent's reference and last acknowledged payload; null for an entity without parent. */
  readonly parent: { readonly reference: string; readonly payload: JsonObject } | null;
  /** The attempt before this one, as it was noted: handed back unsent, the record gets it back. */
  readonly previousAttemptAt: string | null;
  /** What the last attempt of this push came to; null: not tried in it yet. */
  readonly previousOutcome: 'accepted' | 'deferred' | null;
  readonly unacknowledged: boolean;
}

interface OutcomeOf {
  readonly entity: EntityName;
  readonly key: string;
  readonly requestId: string;
}

/** What came of a claim. It counts only while the claim is still ours. */
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
        /** What the platform said that is worth keeping; null: nothing. */
        readonly details: JsonObject | null;
        readonly statusCode: number;
      }
    | { readonly kind: 'refused'; readonly hash: string; readonly statusCode: number; readonly error: string }
    | {
        readonly kind: 'deferred';
        readonly hash: string;
        /** False: without reply. What the platform holds is unknown from now on and must be confirmed. */
        readonly known: boolean;
        readonly delayMs: number;
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
        /** False: it may have been processed all the same, so that it must be confirmed. */
        readonly known: boolean;
        /** A reply that had no say about the record (401, 403, 429, a redirect); null: nothing was sent. */
        readonly reply: { readonly statusCode: number; readonly error: string } | null;
        readonly previousAttemptAt: string | null;
        /** An earlier attempt under the same Request-Id is still unanswered. */
        readonly reused: boolean;
      }
  );

/** Refusals and acceptances of an entity under its mapping fingerprint, kept across runs. */
export interface Tally {
  readonly entity: EntityName;
  /** The mapping under which it was counted; it counts for nothing under another. Null: there was none yet. */
  readonly fingerprint: string | null;
  readonly refusedInARow: number;
  readonly acceptedOnce: boolean;
}

/** The queue is the ledger itself: every record whose desired hash differs from the acknowledged one. */
export interface Queue {
  /**
   * Claims up to `limit` records after `position`, committed when this resolves. Errors: SyncError `lease-lost` when
   * there is nothing because the push lease is no longer held.
   */
  claim(options: {
    readonly fence: Fence;
    readonly entity: EntityName;
    readonly position: QueuePosition | null;
    /** Only records that the platform has accepted before: changes and closings, not new ones. */
    readonly changesOnly?: boolean;
    readonly limit: number;
    /** False: what is to be deleted is left alone. */
    readonly deletions: boolean;
    /** Database time when this push began. */
    readonly since: string;
  }): Promise<readonly Claim[]>;
  /**
   * Writes a group of outcomes in one transaction; gives the number of children that were marked because their
   * parent came back with another reference. Errors: SyncError `lease-lost`, when what still counted is written.
   */
  record(options: {
    readonly fence: Fence;
    readonly outcomes: readonly Outcome[];
    readonly tallies: readonly Tally[];
    readonly timeoutMs: (entity: EntityName) => number;
  }): Promise<{ readonly markedChildren: number }>;
  /**
   * Ends all claims of these entities (null: of all), whoever made them: their outcome is unknown. For a push that has
   * nothing of them under way. Gives how many there were. Errors: SyncError `lease-lost`.
   */
  takeOver(
    fence: Fence,
    among: readonly EntityName[] | null,
    timeoutMs: (entity: EntityName) => number,
  ): Promise<number>;
  /** Gives an attempt back to records that failed only because their whole area did. */
  forgiveAttempts(entity: EntityName, keys: readonly string[]): Promise<void>;
}
