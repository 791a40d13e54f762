import { setTimeout as wait } from 'node:timers/promises';
import { fleetReport, type FleetReport } from '../../../fleet/fleet-report.js';
import type { JobQueue } from '../../../fleet/job-queue.js';
import type { SharedRates, Tenants } from '../../../ports/tenants.js';
import { systemClock } from '../system-clock.js';

/** Longest wait for the engine, milliseconds: whoever scrapes or probes waits for five seconds. */
const JOBS_MS = 4_000;

/** The state of the fleet. Without the jobs when the engine cannot be read, or not in time. Errors: as of `Tenants` and `SharedRates`. */
export async function readFleetReport(
  fleet: Pick<Tenants, 'list'> & Pick<SharedRates, 'pauses'>,
  queue: Pick<JobQueue, 'counts'>,
  jobsMs = JOBS_MS,
): Promise<FleetReport> {
  // It is as old as its oldest part.
  const began = new Date(systemClock.now());
  const counts = Promise.race([queue.counts().catch(() => null), wait(jobsMs, null, { ref: false })]);
  const [all, pauses, jobs] = await Promise.all([fleet.list(), fleet.pauses(), counts]);
  return fleetReport(all, began, jobs, pauses);
}
