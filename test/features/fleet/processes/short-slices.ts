import { hostname } from 'node:os';
import { openEngine, withFleet } from '../../../../src/cli/compose/fleet/open-fleet.js';
import { createSliceRunner } from '../../../../src/cli/compose/fleet/run-slice.js';
import { systemClock } from '../../../../src/cli/compose/package-info.js';
import { loadFleet } from '../../../../src/features/fleet/config/load-fleet.js';
import { createSharedClock } from '../../../../src/features/fleet/shared-rate-limit.js';
import { runReplica } from '../../../../src/features/fleet/run-replica.js';
import { createSharedRates } from '../../../../src/features/fleet/state/shared-rates.js';
import { createTenantLogs } from '../../../../src/cli/output/log.js';

/** `fleet start` without its listener, with another time for a slice. Argument: milliseconds. */
const sliceMs = Number(process.argv[2]);
const { env, stderr } = process;
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const fleet = loadFleet();
const replica = `${hostname()} pid ${process.pid}`;
const logOf = createTenantLogs({ ...fleet.settings.logging, stream: stderr });
const emit = logOf('none');
await withFleet(fleet, async ({ database, tenants, ledgers, places }) => {
  const queue = await openEngine(fleet, emit);
  const { slots, largeSlots } = fleet.settings.fleet;
  const rates = createSharedRates(database);
  emit({ type: 'listening', what: 'admin', url: 'none' });
  await runReplica({
    ...{ tenants, queue, replica, slots, largeSlots, clock: systemClock, emit, signal: stop.signal },
    runSlice: createSliceRunner({
      ...{ fleet, ledgers, places, rates, databaseClock: createSharedClock() },
      ...{ env, replica, logOf, sliceMs },
    }),
  });
  await queue.close();
});
