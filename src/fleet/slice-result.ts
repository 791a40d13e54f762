import type { TenantRun } from '../ports/tenants.js';
import type { RunResult } from '../sync/run/end.js';
import type { SliceTime } from './create-slice-time.js';

/** What is noted of a run of a tenant. The message has no values of rows. Pure. */
export function sliceResult(
  report: RunResult,
  times: Pick<TenantRun, 'startedAt' | 'finishedAt'>,
  { over, outgrown }: Pick<SliceTime, 'over' | 'outgrown'>,
): TenantRun {
  const entities = Object.entries(report.entities);
  const left = entities.reduce(
    (sum, [, { pending, deferred, waiting }]) => sum + pending + deferred + waiting,
    0,
  );
  const [failed] = entities.flatMap(([name, { error }]) => (error ? [`${name}: ${error.message}`] : []));
  if (outgrown.aborted && report.outcome === 'aborted') {
    const ended = { outcome: 'slice', exitCode: report.exitCode, message: failed ?? null, pending: null };
    return { ...times, ...ended, usedUpSlice: true, outgrewLane: true };
  }
  const usedUpSlice = over.aborted && left > 0;
  return {
    ...times,
    outcome: usedUpSlice && report.exitCode === 0 ? 'slice' : report.outcome,
    exitCode: report.exitCode,
    message: report.aside.error?.message ?? failed ?? null,
    pending: report.outcome === 'busy' ? null : left,
    usedUpSlice,
  };
}
