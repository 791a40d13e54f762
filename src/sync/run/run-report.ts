import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import type { RunOutcome } from '../../domain/run-verdict.js';

/** The summary that `run --json` prints: public interface. */
export interface RunReport {
  readonly runId: string;
  readonly outcome: RunOutcome;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly exitCode: number;
  readonly entities: Record<EntityName, EntityReport>;
}
