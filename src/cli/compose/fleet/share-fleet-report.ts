import { createSharedReading } from '../../../dashboard/read-overview.js';
import type { FleetReport } from '../../../fleet/fleet-report.js';
import { systemClock } from '../system-clock.js';
import { readFleetReport } from './read-fleet-report.js';

/**
 * The state of the fleet, for all who look at a replica: one reading at a time, which lives for a second, and up to ten if it
 * took long. Anybody may ask for `/readyz`, as often as he likes. Errors: as of `readFleetReport`.
 */
export function shareFleetReport(...of: Parameters<typeof readFleetReport>): () => Promise<FleetReport> {
  const reading = createSharedReading(() => readFleetReport(...of), systemClock.monotonic);
  return async () => (await reading.read()).value;
}
