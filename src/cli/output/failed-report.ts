import { randomUUID } from 'node:crypto';
import type { EntityName } from '../../domain/names.js';
import { emptyReport } from '../../entities/index.js';
import type { RunReport } from '../../sync/run/end.js';

/** The summary of a run that could not begin, for instance because the state database is down. */
export function failedReport(
  entities: readonly EntityName[],
  startedAt: Date,
  exitCode: number,
  error: { readonly code: string; readonly message: string },
): RunReport {
  return {
    runId: randomUUID(),
    outcome: 'failed',
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    exitCode,
    entities: Object.fromEntries(entities.map((name) => [name, { ...emptyReport(name), error }])),
  };
}
