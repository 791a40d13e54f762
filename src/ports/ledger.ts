import type { Issue } from '../domain/issue.js';
import type { EntityName, RecordStatus } from '../domain/names.js';
import type { BlockedRecord, Deferral } from '../domain/reason.js';
import type { RejectedShare, TakenDown, UnsendableShare } from '../domain/trouble/trouble.js';
import type { ShownState, StateCounts } from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';
import type { SourceSight } from '../domain/source-sight.js';
import type { Fence } from './clock.js';
import type { DeliveryDays } from './queue.js';
import type { Buckets, Digest, KeyVersion } from './source.js';

/**
 * The ledger and what reads or writes it: entries for the diff, staging and publishing of a sweep, records for people,
 * and the standings that a plan reads.
 */

/** What the diff sees of a record in the ledger. */
export interface LedgerEntry extends KeyVersion {
  readonly vanished: boolean;
  readonly invalid: boolean;
  /** Hash of what is desired at the platform; null: nothing (never valid yet, or vanished). */
  readonly desiredHash: string | null;
  /** Whether there is still something to send. */
  readonly sendable: boolean;
  /** Something is desired, but its payload was dropped after the acknowledgement. */
  readonly payloadDropped: boolean;
  /** What the entity's map stored for the next sweep. */
  readonly noted: JsonObject | null;
  /** The platform cannot have it: nothing of it was ever sent. */
  readonly neverThere: boolean;
}

/** The payloads of one record. */
export interface KnownPayloads {
  /** What is desired at the platform, or was when the record vanished; null: never valid. */
  readonly desired: JsonObject | null;
  /** What the platform accepted last; null: nothing yet. */
  readonly acknowledged: JsonObject | null;
  /** Whether the platform confirmed its deletion. */
  readonly deleted: boolean;
  /** The parent of what is desired. */
  readonly parentPlatformId: string | null;
  /** The parent under which the platform accepted it last. */
  readonly acknowledgedParentPlatformId: string | null;
}

/** Digest of one part of the ledger, and how many of its records are invalid. */
export interface LedgerDigest extends Digest {
  readonly invalid: number;
}

/** The ledger's side of a sweep. Records that vanished are in `entries` only. */
export interface Ledger {
  digest(entity: EntityName): Promise<LedgerDigest>;
  bucketDigests(entity: EntityName, count: number): Promise<ReadonlyMap<number, LedgerDigest>>;
  /** Pages in the order of `key COLLATE "C"`; null = all. */
  entries(entity: EntityName, buckets: Buckets | null): AsyncIterable<readonly LedgerEntry[]>;
  /**
   * Deletes records that vanished longer ago than this and have nothing left to send. A parent of others stays: they
   * need its reference. `retentionMs`: milliseconds.
   */
  prune(retentionMs: number): Promise<void>;
  /**
   * Deletes application statuses with their requests in the journal, when nothing was sent of them for so long, nothing is
   * left to send, and their application left the inbox: a row that the source still has is foreign from then on.
   */
  pruneStatuses(retentionMs: number): Promise<void>;
  /** What maps stored for records, by platform id; a record without it is missing. */
  notes(entity: EntityName, platformIds: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
  payloads(entity: EntityName, keys: readonly string[]): Promise<ReadonlyMap<string, KnownPayloads>>;
}

export interface StatusCounts extends Record<RecordStatus, number> {
  /** What the platform shows of records that it accepted; absent: all are live, or nothing is known. */
  readonly atPlatform?: StateCounts;
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
  /** When it was read back last; null: never. */
  readonly lookedAt: Date | null;
  /** A read-back found that the platform lacks it or holds another, and has not got it since. */
  readonly drifted: boolean;
  readonly invalidReason: readonly Issue[] | null;
  readonly vanishedAt: Date | null;
  /** What the platform shows of it since then; null: nothing is known. */
  readonly atPlatform: (ShownState & { readonly since: Date }) | null;
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
    /** The beginning of the body of a reply that did not accept it or has warnings, personal data masked. */
    readonly body: string | null;
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
  /**
   * How many records have left the source and are still open at the platform, counted up to 10,000; not those whose last day
   * is over. 0 of an entity without a status. `today`: `YYYY-MM-DD`.
   */
  leftOpen(entity: EndingEntity, today: string): Promise<number>;
  /** What the platform took down. */
  takenDown(entity: EntityName): Promise<TakenDown>;
  /** What the platform rejects, without what it took down. */
  rejections(entity: EntityName): Promise<RejectedShare>;
  /** What cannot be sent. Where very many are to be sent, only the first of them are looked at. */
  unsendable(entity: EntityName): Promise<UnsendableShare>;
  /** Since when the platform lacks the oldest deferred record, and the latest failure; null: none is deferred. */
  deferral(entity: EntityName): Promise<Deferral | null>;
  /** The first records that wait for a parent that is absent, vanished, invalid or rejected. */
  blocked(entity: EntityName, limit: number): Promise<readonly BlockedRecord[]>;
}

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
  /** Where the rows come from; left out: what is stored stays. */
  readonly source?: SourceSight;
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
  /** The first of them; expired ones, which no guard counts, come last. */
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
      /** What was found of an application that left the inbox since is not stored: its person may have been erased. */
      readonly needsInbox?: boolean;
      /** Called after each transaction with the number of findings published. */
      readonly onPublished?: (count: number) => void;
    },
  ): Promise<void>;
}

/** How a record stands in the ledger, for a plan. */
export interface RecordStanding {
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  /** It has a reference: its children can be sent. */
  readonly referenced: boolean;
  /** Of what the platform accepted last; null: nothing, or not known any more. */
  readonly acknowledgedHash: string | null;
  /** The platform has accepted it once, and has not deleted it since. */
  readonly accepted: boolean;
  readonly parentPlatformId: string | null;
}

/** Records of the ledger that wait for one parent. */
export interface WaitingChildren {
  readonly parentPlatformId: string;
  readonly count: number;
  /** The first of them. */
  readonly keys: readonly string[];
}

/** An invalid record, as an earlier sweep found it. */
export interface StandingInvalid {
  readonly key: string;
  readonly platformId: string;
  readonly referenced: boolean;
  readonly issues: readonly Issue[];
}

/** What a plan reads of the ledger. */
export interface Forecasts {
  /** The records with one of these keys or platform ids; those that the ledger does not have are missing. */
  standings(
    entity: EntityName,
    of: { readonly keys: readonly string[]; readonly platformIds: readonly string[] },
  ): Promise<readonly RecordStanding[]>;
  /** All records that wait, by parent, page by page. */
  waiting(entity: EntityName): AsyncIterable<readonly WaitingChildren[]>;
  /** All invalid records in the order of their keys, page by page. */
  invalid(entity: EntityName): AsyncIterable<readonly StandingInvalid[]>;
}
