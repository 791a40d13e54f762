import { fleetReport, type FleetReport } from '../../../fleet/fleet-report.js';
import type { JobQueue } from '../../../fleet/job-queue.js';
import type { Tenants } from '../../../ports/tenants.js';
import { systemClock } from '../system-clock.js';

/** How the fleet stands. Without the jobs when the engine cannot be read. Errors: as of `Tenants`. */
export async function readFleetReport(
  tenants: Pick<Tenants, 'list'>,
  queue: Pick<JobQueue, 'counts'>,
): Promise<FleetReport> {
  const [all, jobs] = await Promise.all([tenants.list(), queue.counts().catch(() => null)]);
  return fleetReport(all, new Date(systemClock.now()), jobs);
}
