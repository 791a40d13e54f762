import type { PgBoss } from 'pg-boss';
import { isUnfinished } from './has-job.js';
import type { TenantSchedule } from './job-queue.js';
import { LANES } from './lanes.js';

/** Sends jobs for those tenants that have none in either lane: four statements. Gives how many it sent. */
export async function sendMissing(
  boss: Pick<PgBoss, 'findJobs' | 'insert'>,
  jobs: readonly Pick<TenantSchedule, 'tenant' | 'lane'>[],
): Promise<number> {
  const found = await Promise.all(LANES.map((lane) => boss.findJobs(lane, {})));
  const have = new Set(found.flat().flatMap((job) => (isUnfinished(job) ? [job.singletonKey] : [])));
  let sent = 0;
  for (const lane of LANES) {
    const missing = jobs.filter((job) => job.lane === lane && !have.has(job.tenant));
    if (missing.length === 0) continue;
    const rows = missing.map(({ tenant }) => ({ data: { tenant }, singletonKey: tenant }));
    sent += (await boss.insert(lane, rows, { returnId: true }))?.length ?? 0;
  }
  return sent;
}
