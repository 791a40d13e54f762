import type { LoadedFleet } from '../../../config/fleet/load-fleet.js';
import type { Emit } from '../../../domain/events.js';
import type { JobQueue } from '../../../fleet/job-queue.js';
import { openJobQueue } from '../../../fleet/queue.js';
import { systemClock } from '../system-clock.js';
import { engineSchema } from '../../../domain/fleet.js';

/** Its connections in each process. */
const POOL_MAX = 3;

/** The engine of a fleet, in a schema of its own beside the fleet's. Errors: as of `openJobQueue`. */
export function openEngine({ settings }: LoadedFleet, emit: Emit): Promise<JobQueue> {
  const { database, schema } = settings.fleet;
  return openJobQueue({
    ...{ url: database.url, poolMax: POOL_MAX, schema: engineSchema(schema), clock: systemClock, emit },
  });
}
