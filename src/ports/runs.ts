import type { Hold, HoldCounts, PushHold } from '../domain/guard.js';
import type { Area, EntityName } from '../domain/names.js';
import type { NoticeMemory, NoticeWay } from '../domain/notice.js';
import type { EntityReport, PushCounters } from '../domain/outcome.js';
import type { CheckResult, Verdict } from '../domain/probe/checks.js';
import type { SourceSight } from '../domain/source-sight.js';
import type { KnownDrift } from '../domain/trouble/trouble.js';
import type { Fence, LeaseHolder } from './clock.js';

/**
 * What is stored of runs and around them: runs, entity states, schedules, observations, notices, environments.
 */

export type Trigger = 'cron' | 'manual' | 'catch-up';

export interface FinishedRun {
  readonly outcome: string;
  readonly exitCode: number;
  readonly entities: Record<EntityName, EntityReport>;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A run as lists show it. */
export interface ListedRun extends Pick<FinishedRun, 'entities' | 'error'> {
  readonly runId: string;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly holder: string;
}

interface RunQuery {
  /** Only runs that ended so; null: all, also one under way. */
  readonly outcome: string | null;
  /** Only runs that began before the run of this id (a UUID); null: from the latest on. */
  readonly before: string | null;
  readonly limit: number;
}

/** One row per sync run. */
export interface Runs {
  /** Also ends the row of a run that died. */
  start(run: Pick<ListedRun, 'runId' | 'trigger' | 'holder'>): Promise<void>;
  /** Keeps what `addPushed` has counted for it. */
  finish(runId: string, result: FinishedRun): Promise<void>;
  /** Adds what a worker's push sent to the last run, also while that run is under way. Without a run nothing is counted. */
  addPushed(pushed: Readonly<Record<EntityName, PushCounters>>): Promise<void>;
  last(): Promise<ListedRun | null>;
  find(runId: string): Promise<ListedRun | null>;
  /** The latest first; of one under way `outcome` and `exitCode` are null. */
  recent(limit: number): Promise<readonly ListedRun[]>;
  /** The latest first, as `recent`. Nothing when the run `before` is not stored any more. */
  page(query: RunQuery): Promise<readonly ListedRun[]>;
  /** Together with what was counted per hour. */
  prune(retentionMs: number): Promise<void>;
}

export interface EntityState {
  readonly entity: EntityName;
  /** Database time of this reading. */
  readonly readAt: string;
  readonly fingerprint: string | null;
  readonly lastSweepAt: Date | null;
  readonly lastFullSweepAt: Date | null;
  /** Milliseconds since the last full sweep by the database's clock; null: never. */
  readonly sinceFullSweepMs: number | null;
  readonly fullSweepRequested: boolean;
  readonly lastSuccessAt: Date | null;
  readonly hold: Hold | null;
  readonly approval: HoldCounts | null;
  readonly pushHold: PushHold | null;
  readonly refusedInARow: number;
  readonly acceptedOnce: boolean;
  /**
   * Since when the platform may hold something else than what counts as acknowledged, because the database went back in
   * time; null: not in doubt.
   */
  readonly inDoubtSince: Date | null;
  /** What read-backs found and nobody has repaired since; left out: nothing. */
  readonly drift?: KnownDrift;
  /** Rows of the last applied sweep whose application never came by webhook: in no ledger, never sent. */
  readonly foreign: number;
  /** Where the last applied sweep read from; null: there was none, or the server does not show it. */
  readonly source: SourceSight | null;
}

export const ABSENT_ENTITY_STATE: Omit<EntityState, 'entity'> = {
  readAt: '-infinity',
  fingerprint: null,
  lastSweepAt: null,
  lastFullSweepAt: null,
  sinceFullSweepMs: null,
  fullSweepRequested: false,
  lastSuccessAt: null,
  hold: null,
  approval: null,
  pushHold: null,
  refusedInARow: 0,
  acceptedOnce: false,
  inDoubtSince: null,
  foreign: 0,
  source: null,
};

interface Approved {
  /** The hold of the sweep that was approved; null: none. */
  readonly sweep: Hold | null;
  readonly push: PushHold | null;
  /** Rejected records that are pending again. */
  readonly rearmed: number;
  /** The sweep stays held: it found more than what was seen. */
  readonly grown: boolean;
}

/** What is known per entity between runs. */
export interface EntityStates {
  read(entity: EntityName): Promise<EntityState>;
  /** By the holder of the sweep lease. Errors: SyncError `lease-lost`. */
  hold(fence: Fence, entity: EntityName, hold: Hold): Promise<void>;
  /** By the holder of the push lease. Errors: SyncError `lease-lost`. */
  holdPush(fence: Fence, entity: EntityName, hold: PushHold): Promise<void>;
  requestFullSweep(entity: EntityName): Promise<void>;
  /**
   * A person approves what a guard stopped. `seen`: the counts that were shown; a sweep that found more meanwhile stays
   * held. Null, or left out: whatever is held now. `actionId`: the row of who approves; it ends in the same transaction.
   */
  approve(entity: EntityName, seen?: HoldCounts | null, actionId?: string): Promise<Approved>;
  /**
   * For an entity in doubt: clears the acknowledgements of records that are not settled, which cannot be read back, so
   * that they are sent when they may be. Open claims end like an attempt without reply.
   */
  distrust(entity: EntityName, timeoutMs: number): Promise<void>;
  /**
   * All records of the entity were compared or sent again since the database time `checkedFrom`. False: the doubt is
   * not `graceMs` older than that, so an earlier request may have arrived later.
   */
  endDoubt(entity: EntityName, checkedFrom: string, graceMs: number): Promise<boolean>;
  /** Nothing is due: stores the last sweep as a success. */
  noteSuccess(entity: EntityName): Promise<void>;
}

export type ScheduleName = 'sync' | 'verify';

export interface DueTime {
  readonly at: Date;
  /** Whether it has passed, by the database's clock. */
  readonly overdue: boolean;
}

/** When each schedule is due next, across processes. */
export interface Schedules {
  /** Null: none was ever stored. */
  read(name: ScheduleName): Promise<DueTime | null>;
  /** Gives the time that it replaces; null: there was none. */
  setDue(name: ScheduleName, at: Date): Promise<DueTime | null>;
  /** The process that works by this schedule begins within a few seconds. */
  setDueNow(name: ScheduleName): Promise<void>;
}

/** What was last seen of one assumption. */
export interface Observation extends Verdict {
  /** Of a check; other versions of the program may have others. */
  readonly id: string;
  readonly result: CheckResult;
  readonly observedAt: Date;
}

/** What first contacts saw, by environment: address and client id. */
export interface Observations {
  /** Keeps the latest of each check; one that found nothing out does not replace one that did. */
  save(environment: string, seen: readonly Omit<Observation, 'observedAt'>[]): Promise<void>;
  read(environment: string): Promise<readonly Observation[]>;
}

/** Notices sent and still to send, across restarts, hand-overs and CronJobs. */
export interface NoticeStore {
  /**
   * Replaces the stored memories by the result of `decide`; what it leaves out is deleted. One process at a time.
   * `decide` must be pure. `now`: the state database's time.
   */
  revise(decide: (memories: readonly NoticeMemory[], now: Date) => readonly NoticeMemory[]): Promise<void>;
  /**
   * A notice to send by this way now, reserved for one minute; null: none. Those that failed most often come last.
   */
  takeDue(way: NoticeWay): Promise<NoticeMemory | null>;
  /** It was sent. Does nothing if its state has changed since. */
  noteSent(noticeId: string): Promise<void>;
  /**
   * It was not sent. It is due again after a pause that grows to an hour, and given up after five tries and a day.
   * `inDoubt`: the receiver may have it. Gives whether it was given up.
   */
  noteFailure(noticeId: string, options: { readonly inDoubt: boolean }): Promise<boolean>;
}

/** The area of the platform that a ledger belongs to. */
export interface PlatformEnvironment {
  readonly area: Area;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly namespace: string;
}

/** The platform and client that this ledger belongs to. */
export interface Environments {
  read(): Promise<readonly PlatformEnvironment[]>;
  /** Adds areas that are not stored yet. */
  add(environments: readonly PlatformEnvironment[]): Promise<void>;
  /** Same platform under a new address or client id. By the holder of the push lease. Errors: SyncError `lease-lost`. */
  keep(fence: Fence, environments: readonly PlatformEnvironment[]): Promise<void>;
  /**
   * Another platform: acknowledgements and references of these entities are cleared; under another namespace their
   * records are deleted, because their ids change. Gives how many records stay. By the holder of the push
   * lease. Errors: SyncError `lease-lost`.
   */
  reset(
    fence: Fence,
    environments: readonly PlatformEnvironment[],
    entities: readonly { readonly name: EntityName; readonly area: Area; readonly repeatable: boolean }[],
  ): Promise<number>;
}

/** What support needs to know about a state database. Of records only counts. */
export interface Diagnostics {
  serverVersion(): Promise<string>;
  /** Names of migrations that have run, and of those that this version needs besides. */
  migrations(): Promise<{ readonly applied: readonly string[]; readonly pending: readonly string[] }>;
  /** Rows are the planner's estimate (null: never analysed). */
  tables(): Promise<
    readonly { readonly table: string; readonly rows: number | null; readonly bytes: number }[]
  >;
  leases(): Promise<readonly LeaseHolder[]>;
  /**
   * Last errors of records that are not settled, by entity, status code and message, the most frequent first. Messages
   * come without quoted text, e-mail addresses, ids and long numbers; application statuses have no message.
   */
  errors(limit: number): Promise<readonly GroupedError[]>;
  /** Why records are invalid, by entity, field and code, the most frequent first. */
  issues(limit: number): Promise<readonly GroupedIssue[]>;
}

export interface GroupedError {
  readonly entity: EntityName;
  readonly statusCode: number | null;
  readonly message: string | null;
  readonly count: number;
  readonly lastAt: Date | null;
}

export interface GroupedIssue {
  readonly entity: EntityName;
  readonly field: string | null;
  readonly code: string | null;
  readonly count: number;
}
