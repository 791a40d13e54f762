import type { EntityName } from '../domain/entity-name.js';
import type { EntityReport } from '../domain/outcome.js';

export type Trigger = 'cron' | 'manual' | 'catch-up';

export interface FinishedRun {
  readonly outcome: string;
  readonly exitCode: number;
  readonly entities: Partial<Record<EntityName, EntityReport>>;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface RunRecord extends FinishedRun {
  readonly runId: string;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** One row per sync run. */
export interface Runs {
  /** Also closes what a run that died left open. Gives the database's time. */
  start(run: {
    readonly runId: string;
    readonly trigger: Trigger;
    readonly holder: string;
  }): Promise<{ readonly startedAt: Date }>;
  finish(runId: string, result: FinishedRun): Promise<{ readonly finishedAt: Date }>;
  last(): Promise<RunRecord | null>;
  /** The newest ones, the newest first. */
  recent(limit: number): Promise<readonly RunRecord[]>;
  prune(retentionMs: number): Promise<void>;
}
