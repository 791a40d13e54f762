import type { AdapterState } from '../../contract/adapter.js';
import type { EntityName } from '../../domain/names.js';
import type { DeliveryKind } from '../../domain/delivery.js';
import type { JsonObject } from '../../domain/row.js';

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
  /** How long it was to be sent when it was claimed, milliseconds. Left out: not known. */
  readonly pendingMs?: number | null;
  /** The record vanished after the platform took it down: this ends it there. Left out: not so. */
  readonly takenDown?: boolean;
  /** It vanished, and the platform never took it as far as is known. Left out: not so. */
  readonly mayBeAbsent?: boolean;
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
  /** Put again unchanged, to see whether others pass than those that were refused. */
  readonly control?: true;
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
  /** The masked body of a reply that did not accept it; null: none, or it may be personal. */
  readonly body?: string | null;
  /** The partner's adapter decided it. */
  readonly adapter?: true;
  /** Of a control: it counts as nothing that was sent. Absent: none. */
  readonly control?: true;
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
        /** What the platform makes of it, or `pending`: it has still to be read back. Absent: nobody asks. */
        readonly state?: Exclude<AdapterState, 'live'> | undefined;
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
        readonly reply: { readonly statusCode: number | null; readonly error: string } | null;
        readonly previousAttemptAt: string | null;
        /** It was refused like others, so the next try begins with another record. Absent: not so. */
        readonly tried?: true;
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

/** A record with what the platform accepted last of it, and nothing about it is in doubt. */
export type ControlRecord = Pick<Claim, 'key' | 'hash' | 'payload' | 'parent'>;
