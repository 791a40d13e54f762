import type { EntityName } from '../domain/names.js';
import type { EntityReport, PushCounters } from '../domain/outcome.js';

export type Trigger = 'cron' | 'manual' | 'catch-up';

export interface FinishedRun {
  readonly outcome: string;
  readonly exitCode: number;
  readonly entities: Record<EntityName, EntityReport>;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface RunRecord extends FinishedRun {
  readonly runId: string;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** A run as lists show it. */
export interface ListedRun extends Omit<RunRecord, 'outcome' | 'exitCode'> {
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly holder: string;
}

/** A part of the run history. */
export interface RunQuery {
  /** Only runs that ended so; null: all, also one under way. */
  readonly outcome: string | null;
  /** Only runs that began before the run of this id (a UUID); null: from the latest on. */
  readonly before: string | null;
  readonly limit: number;
}

/** One row per sync run. */
export interface Runs {
  /** Also ends the row of a run that died. Gives the database's time. */
  start(run: {
    readonly runId: string;
    readonly trigger: Trigger;
    readonly holder: string;
  }): Promise<{ readonly startedAt: Date }>;
  /** Keeps what `addPushed` has counted for it. */
  finish(runId: string, result: FinishedRun): Promise<{ readonly finishedAt: Date }>;
  /** Adds what a worker's push sent to the last run, also while that run is under way. Without a run nothing is counted. */
  addPushed(pushed: Readonly<Record<EntityName, PushCounters>>): Promise<void>;
  last(): Promise<RunRecord | null>;
  find(runId: string): Promise<ListedRun | null>;
  /** The latest first; of one under way `outcome` and `exitCode` are null. */
  recent(limit: number): Promise<readonly ListedRun[]>;
  /** The latest first, as `recent`. Nothing when the run `before` is not stored any more. */
  page(query: RunQuery): Promise<readonly ListedRun[]>;
  /** Together with what was counted per hour. */
  prune(retentionMs: number): Promise<void>;
}
