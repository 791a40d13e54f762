import { hostname } from 'node:os';
import { processEnvironment } from '../../../config/environment-variables.js';
import { openJobQueue } from '../../../fleet/queue.js';
import { runReplica } from '../../../fleet/run-replica.js';
import { createSharedRates } from '../../../state/fleet/shared-rates.js';
import { createTenantLogs } from '../../../telemetry/create-log.js';
import { keepHeapSmall } from '../../compose/keep-heap-small.js';
import { openFleetListener } from '../../compose/fleet/open-fleet-listener.js';
import { createSliceRunner } from '../../compose/fleet/run-slice.js';
import { engineSchema } from '../../compose/fleet/engine-schema.js';
import { systemClock } from '../../compose/system-clock.js';
import { warnedOfStopping } from '../../compose/warned-of-stopping.js';
import { io } from '../../io.js';
import { tenantsCommand } from './fleet-command.js';

/** Connections of the engine. */
const ENGINE_POOL = 3;

/** One replica, until it is stopped. */
export const fleetStart = tenantsCommand(async (opened, { command, fleet, emit, signal }) => {
  const { database, tenants } = opened;
  const { database: at, schema, slots, largeSlots } = fleet.settings.fleet;
  const { replica = `${hostname()} pid ${process.pid}` } = command.opts<{ replica?: string }>();
  keepHeapSmall();
  const queue = await openJobQueue({
    ...{ url: at.url, poolMax: ENGINE_POOL, schema: engineSchema(schema), clock: systemClock, emit },
  });
  try {
    const { level, format } = fleet.settings.logging;
    const runSlice = createSliceRunner({
      ...{ fleet, database, rates: createSharedRates(database), env: processEnvironment(), replica },
      logOf: createTenantLogs({ level, format, stream: io().stderr }),
    });
    const listener = await openFleetListener(fleet, { tenants, queue, database, emit, replica });
    try {
      await warnedOfStopping({ emit, signal }, () =>
        runReplica({ tenants, queue, runSlice, replica, slots, largeSlots, clock: systemClock, emit, signal }),
      );
      return 0;
    } finally {
      await listener.close();
    }
  } finally {
    await queue.close();
  }
});
