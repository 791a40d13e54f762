import type { FoundJob, PgBoss } from 'pg-boss';
import type { Lane } from '../ports/tenants.js';

/** Whether a lane has a job of this tenant that waits or runs. */
export async function hasJob(
  boss: Pick<PgBoss, 'findJobs'>,
  lane: Lane,
  tenant: string,
  which: (job: FoundJob) => boolean = isUnfinished,
): Promise<boolean> {
  return (await boss.findJobs(lane, { key: tenant })).some(which);
}

export function isUnfinished({ state }: FoundJob): boolean {
  return state === 'created' || state === 'retry' || state === 'active';
}

export function isActive({ state }: FoundJob): boolean {
  return state === 'active';
}
