import { ERROR_CODES, SyncError } from '../domain/errors.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import { failedReport } from './output/failed-report.js';
import { writeJson } from './output/write.js';

/**
 * Does `work`, which prints its own summary when it comes to an end. When it throws after usage and configuration
 * were found in order, a program that asked for JSON still gets a summary. The error is passed on.
 */
export async function withSummary(
  json: boolean,
  plans: readonly EntityPlan[],
  work: () => Promise<number>,
): Promise<number> {
  const startedAt = new Date();
  try {
    return await work();
  } catch (error) {
    const exitCode = error instanceof SyncError ? ERROR_CODES[error.code] : 1;
    if (json && exitCode !== ERROR_CODES.usage) {
      writeJson(
        failedReport(
          plans.map(({ entity }) => entity.name),
          startedAt,
          exitCode,
        ),
      );
    }
    throw error;
  }
}
