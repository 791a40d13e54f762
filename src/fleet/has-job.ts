import type { FoundJob, PgBoss } from 'pg-boss';
import type { Lane } from '../ports/tenants.js';

/** Whether a lane has a job of this tenant in one of these states. */
export async function hasJob(
  boss: Pick<PgBoss, 'findJobs'>,
  lane: Lane,
  tenant: string,
  states: readonly FoundJob['state'][],
): Promise<boolean> {
  const jobs = await boss.findJobs(lane, { key: tenant });
  return jobs.some(({ state }) => states.includes(state));
}
