import type { PgBoss } from 'pg-boss';
import type { JobQueue } from './job-queue.js';
import { LANES } from './lanes.js';
import type { Lane } from '../ports/tenants.js';

/** Jobs that wait and that run, by lane, as the last look of the engine's supervisor found them. Errors: of the package. */
export async function countJobs(boss: PgBoss): ReturnType<JobQueue['counts']> {
  const found = await boss.getQueues([...LANES]);
  const countsOf = (lane: Lane) => {
    const counts = found.find(({ name }) => name === lane);
    return { ready: counts?.readyCount ?? 0, active: counts?.activeCount ?? 0 };
  };
  return { sync: countsOf('sync'), large: countsOf('large') };
}
