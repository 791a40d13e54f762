import { hostname } from 'node:os';
import { createSharedClock, learnClock } from '../../../features/fleet/shared-rate-limit.js';
import { runReplica } from '../../../features/fleet/run-replica.js';
import { createSharedRates } from '../../../features/fleet/state/shared-rates.js';
import { createFleetMetrics } from '../../../features/metrics/metrics.js';
import { createTenantLogs } from '../../output/log.js';
import { openEngine, openFleetListener, shareFleetReport, warmUp } from '../../compose/fleet/open-fleet.js';
import { createSliceRunner } from '../../compose/fleet/run-slice.js';
import { keepHeapSmall, warnedOfStopping } from '../../compose/open-run.js';
import { COMMIT, systemClock, VERSION } from '../../compose/package-info.js';
import { io } from '../../io.js';
import { waitingCommand } from './tenants.js';

export const fleetStart = waitingCommand(async (opened, { fleet, emit, signal }) => {
  const { database, tenants, readers } = opened;
  const { slots, largeSlots } = fleet.settings.fleet;
  const { env, stderr } = io();
  const replica = `${hostname()} pid ${process.pid}`;
  keepHeapSmall();
  const queue = await openEngine(fleet, emit);
  try {
    const read = shareFleetReport(readers);
    const metrics = createFleetMetrics({ version: VERSION, commit: COMMIT, read });
    const listener = await openFleetListener(fleet, { read, metrics, replica, emit });
    const logOf = createTenantLogs({ ...fleet.settings.logging, stream: stderr });
    const rates = createSharedRates(database);
    const databaseClock = createSharedClock();
    const slice = createSliceRunner({
      ...opened,
      fleet,
      rates,
      databaseClock,
      env,
      replica,
      logOf: (tenant) => {
        const log = logOf(tenant);
        return (event) => {
          metrics.emit(event);
          log(event);
        };
      },
    });
    const runSlice: typeof slice = async (...begun) => {
      const run = await slice(...begun);
      metrics.ended(run.outcome);
      return run;
    };
    await warmUp();
    await learnClock(databaseClock, rates, systemClock, signal);
    try {
      await warnedOfStopping({ emit, signal }, () =>
        runReplica({
          tenants,
          queue,
          runSlice,
          replica,
          slots,
          largeSlots,
          clock: systemClock,
          emit,
          signal,
        }),
      );
      return 0;
    } finally {
      await listener.close();
    }
  } finally {
    await queue.close();
  }
});
