import type { EntityName } from '../../domain/names.js';
import type { IssueGroup } from '../../domain/issue-group.js';
import type { EntityReport } from '../../domain/outcome.js';
import type { RunOutcome } from '../../domain/run-ending.js';
import type { LeaseHolder } from '../../ports/leases.js';

/** The summary that `run --json` prints: public interface. */
export interface RunReport {
  readonly runId: string;
  readonly outcome: RunOutcome;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly exitCode: number;
  readonly entities: Record<EntityName, EntityReport>;
}

/** What people are shown beside the public summary. */
export interface RunAside {
  /** What ended the whole run early. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Entities that were read to their end; the counters of the others say nothing about the source. */
  readonly read: ReadonlySet<EntityName>;
  /** What is doubtful in the rows that were read; the largest effect first. */
  readonly doubtful: readonly IssueGroup[];
  /** Busy: who holds the lease; `own`: under this process's own name. */
  readonly heldBy: (LeaseHolder & { readonly own: boolean }) | null;
}

/** A run with everything that is known about it. */
export interface RunResult extends RunReport {
  readonly aside: RunAside;
}
