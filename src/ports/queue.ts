import type { AdapterState } from '../contract/adapter.js';
import type { AreaStop } from '../domain/area-condition.js';
import type { LearnedRate } from '../domain/learned-rate.js';
import type { Area, EntityName } from '../domain/names.js';
import type { RecordHistory } from '../domain/record-report.js';
import type {
  Delivery,
  DeliveryKind,
  DeliveryOutcome,
  DeliveryParent,
  JournalGap,
  ReportRows,
} from '../domain/report.js';
import type { JsonObject } from '../domain/row.js';
import type { Fence } from './clock.js';

/**
 * The queue of what is to be sent: claims, their outcomes, what is stored of an area, and the journal of requests.
 */

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
    /** The one whose last attempt is the longest ago goes first. */
    readonly oldestFirst?: boolean;
    /** Also records that are deferred until later; the one whose last attempt is the longest ago goes first. */
    readonly evenDeferred?: boolean;
    /** Only this record. */
    readonly key?: string;
    /** `claimedAt` of the first claim of this push; null: it has none yet. */
    readonly since: string | null;
    /** Without records whose parent was accepted within this many milliseconds; absent: 0. */
    readonly parentSettleMs?: number;
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
  /** A record that can be a control, and which of the entities `among` have something that was accepted. */
  findControl(
    entity: EntityName,
    among: readonly EntityName[],
  ): Promise<{ readonly control: ControlRecord | null; readonly accepted: readonly EntityName[] }>;
  /**
   * Writes a group of outcomes and what the journal has of them in one transaction. Errors: SyncError `lease-lost`,
   * after it wrote what still counts.
   */
  record(options: {
    readonly fence: Fence;
    readonly outcomes: readonly Outcome[];
    readonly tallies: readonly Tally[];
    readonly timeoutMs: (entity: EntityName) => number;
    /** The run that sends; absent or null: the worker. */
    readonly runId?: string | null;
  }): Promise<void>;
  /**
   * Ends all claims of these entities (null: of all), by any process: their outcome is unknown, also in the journal.
   * For a push that has none of them under way. Gives their number. Errors: SyncError `lease-lost`.
   */
  takeOver(fence: Fence, among: readonly EntityName[] | null, options: TakeOver): Promise<number>;
  /**
   * Ends a claim of a record that `mayBeAbsent`, and that the platform does not have: it leaves the ledger. False: it is
   * another record by now, and its claim is open.
   */
  forget(fence: Fence, claim: Pick<Claim, 'entity' | 'key' | 'requestId'>): Promise<boolean>;
  /** Gives an attempt back to records that failed only because their whole area did. */
  forgiveAttempts(entity: EntityName, keys: readonly string[]): Promise<void>;
  /** Those of these entities that have something to send; the one with the longest ago attempt goes first. */
  leastRecentlyTried(among: readonly EntityName[]): Promise<readonly EntityName[]>;
  /**
   * Milliseconds until the first of these entities' records is due again that were tried at `since` or later and deferred;
   * null: there is none.
   */
  nextAttemptIn(among: readonly EntityName[], since: string): Promise<number | null>;
  /** Milliseconds until the first record may be claimed that waits for its parent to settle; null: there is none. */
  nextSettledIn(entity: EntityName, parentSettleMs: number): Promise<number | null>;
  /** Makes deferred records due now that used up no attempt: not they were to blame. */
  retryBlameless(entity: EntityName): Promise<void>;
}

/** A record with what the platform accepted last of it, and nothing about it is in doubt. */
export type ControlRecord = Pick<Claim, 'key' | 'hash' | 'payload' | 'parent'>;

/** What the pushes so far learned about an area. */
export interface AreaState {
  readonly area: Area;
  /** Transient failures since the last answer, across pushes and runs. */
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  /** When a push last ended in which it had answered; null: never. */
  readonly answeredAt: Date | null;
  /** Of the latest failure; null: none. */
  readonly lastError: string | null;
  /** Why the last push stopped, and since when; null: it did not. */
  readonly stop: (AreaStop & { readonly since: Date }) | null;
  /** The platform asked not to be sent anything until then, and it is not over yet; null: it did not. */
  readonly pause: { readonly until: Date; readonly leftMs: number } | null;
  /** The rate that pushes have learned; null: nothing speaks against the setting. */
  readonly learnedRate: LearnedRate | null;
  /** `meta.version` of the latest replies; null: none had one. */
  readonly platformVersion: string | null;
}

/** What a push learned about its area. */
export interface AreaFinding {
  readonly area: Area;
  /** Whether the area answered a request in this push: earlier failures no longer count. */
  readonly answered: boolean;
  readonly failuresInARow: number;
  readonly lastError: string | null;
  readonly stop: AreaStop | null;
}

/** What is known about the areas of the platform across pushes and runs. */
export interface AreaStates {
  /** Null: no push has learned anything yet. */
  read(area: Area): Promise<AreaState | null>;
  all(): Promise<readonly AreaState[]>;
  /** Stores what a push learned, while it holds the push lease. Errors: SyncError `lease-lost`. */
  save(fence: Fence, finding: AreaFinding): Promise<void>;
  /** Stores the rate that a push has learned, while it holds the push lease. Errors: SyncError `lease-lost`. */
  saveLearnedRate(fence: Fence, area: Area, learned: LearnedRate | null): Promise<void>;
  /** Stores the version that the platform names, while a push holds its lease. Errors: SyncError `lease-lost`. */
  savePlatformVersion(fence: Fence, area: Area, version: string): Promise<void>;
  /** Forgets the pauses that the platform asked these areas for; gives the areas that had one. */
  endPauses(areas: readonly Area[]): Promise<readonly Area[]>;
}

/** What the platform answered within one hour: attempts, not records. sent = accepted + rejected + deferred. */
export interface PushHour {
  readonly entity: EntityName;
  /** Its beginning, UTC. */
  readonly hour: Date;
  readonly sent: number;
  readonly accepted: number;
  /** Refused, or failed at the last attempt. */
  readonly rejected: number;
  /** Failed for now: no reply, or no verdict. */
  readonly deferred: number;
}

/** Outcomes of pushes, per entity and hour; counted by `Queue.record` together with the outcomes themselves. */
export interface PushHours {
  /** Of the last `hours`, those in which something was sent, by hour and entity; and the database's time. */
  recent(hours: number): Promise<{ readonly now: Date; readonly hours: readonly PushHour[] }>;
}

/** Days of one zone, `YYYY-MM-DD`, both included. */
export interface DeliveryDays {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly entities: readonly EntityName[];
}

/** A place in the journal, which is read in the order of time and Request-Id. */
export interface DeliveryPosition {
  /** Microseconds since the Unix epoch: a Date would lose digits. */
  readonly micros: string;
  readonly requestId: string;
}

/** A part of the journal, the oldest first. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

/** Records with requests on some days, in the order of the first one. */
export interface HistoryPage {
  readonly histories: readonly RecordHistory[];
  /** Where the next page begins; null: there is none. */
  readonly next: DeliveryPosition | null;
}

export interface PageOptions {
  readonly after: DeliveryPosition | null;
  readonly limit: number;
}

/** The journal of what was sent. `Queue` writes it, together with the outcomes. */
export interface Deliveries {
  /** The latest requests about a record, at most `limit`, the oldest first. */
  timeline(entity: EntityName, platformId: string, limit: number): Promise<readonly Delivery[]>;
  /** What was sent for a run; for one of the worker, what it sent until the next run began. `outcome` null: all. */
  ofRun(
    runId: string,
    options: PageOptions & { readonly outcome: DeliveryOutcome | null },
  ): Promise<DeliveryPage>;
  ofDays(days: DeliveryDays, options: PageOptions): Promise<DeliveryPage>;
  /** How many requests of these days ended how: by day and entity, and by parent too, of these rows at most `most`. */
  report(days: DeliveryDays, most: number): Promise<ReportRows>;
  /** How many records the platform was seen to take down on these days; an entity with none is missing. */
  takenDown(days: DeliveryDays): Promise<Readonly<Record<EntityName, number>>>;
  /** Of which times the journal lacks requests, in their order. The first is the time before it began. */
  gaps(): Promise<readonly JournalGap[]>;
  parents(ids: readonly string[]): Promise<ReadonlyMap<string, DeliveryParent>>;
  /**
   * Records with requests on these days, each with its history until their end. `companies`: only those whose last parent
   * is one of these, by platform id; null: all.
   */
  records(
    days: DeliveryDays,
    options: PageOptions & { readonly companies: readonly string[] | null },
  ): Promise<HistoryPage>;
  /** The parents of what was sent on these days with that text in their name or key, whatever its case: platform ids. */
  parentsOf(days: DeliveryDays, text: string): Promise<readonly string[]>;
  /** Deletes what is older, batch by batch. Gives how many rows. */
  prune(retentionMs: number): Promise<number>;
}
