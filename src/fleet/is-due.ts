import type { TenantSummary } from '../ports/tenants.js';

/**
 * How much later than its period a tenant's job may come, milliseconds: the engine looks for due schedules every half minute,
 * and a job sent too early would be followed by that of the schedule.
 */
const GRACE_MS = 120_000;

/**
 * Whether a tenant should have a job now: it never ran, or not since it was changed, its last slice left work, or its last
 * run began longer ago than its period. `now`: milliseconds since the epoch. Pure.
 */
export function isDue(
  { isChanged, lastRun, periodMs }: Pick<TenantSummary, 'isChanged' | 'lastRun' | 'periodMs'>,
  now: number,
): boolean {
  if (isChanged || lastRun === null || lastRun.usedUpSlice) return true;
  return now - lastRun.startedAt.getTime() > periodMs + GRACE_MS;
}
