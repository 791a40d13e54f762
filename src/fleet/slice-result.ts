import type { TenantRun } from '../ports/tenants.js';
import type { RunResult } from '../sync/run/run-report.js';

/** What is noted of a run of a tenant. The message has no values of rows. Pure. */
export function sliceResult(
  report: RunResult,
  times: Pick<TenantRun, 'startedAt' | 'finishedAt'>,
  isOver: boolean,
): TenantRun {
  const entities = Object.entries(report.entities);
  const left = entities.reduce(
    (sum, [, { pending, deferred, waiting }]) => sum + pending + deferred + waiting,
    0,
  );
  const [failed] = entities.flatMap(([name, { error }]) => (error ? [`${name}: ${error.message}`] : []));
  const usedUpSlice = isOver && left > 0;
  return {
    ...times,
    outcome: usedUpSlice && report.exitCode === 0 ? 'slice' : report.outcome,
    exitCode: report.exitCode,
    message: report.aside.error?.message ?? failed ?? null,
    pending: report.outcome === 'busy' ? null : left,
    usedUpSlice,
  };
}
