import type { LoadedFleet } from '../../../config/fleet/load-fleet.js';
import type { Emit } from '../../../domain/events.js';
import type { FleetReport } from '../../../fleet/fleet-report.js';
import { createFleetDashboard } from '../../../fleet/page/create-fleet-dashboard.js';
import { type RunningAdmin, startAdmin } from '../../../service/start-admin.js';
import type { FleetMetrics } from '../../../telemetry/metrics.js';
import { systemClock } from '../system-clock.js';
import { VERSION } from '../package-info.js';
import { FLEET_TIME_ZONE } from './time-zone.js';

export interface FleetListenerOptions {
  readonly read: () => Promise<FleetReport>;
  readonly metrics: FleetMetrics;
  readonly replica: string;
  readonly emit: Emit;
}

/** Probes, metrics and pages of a replica. Errors: SyncError `config-invalid` when it cannot listen on its address. */
export async function openFleetListener(
  { settings }: LoadedFleet,
  { read, metrics, replica, emit }: FleetListenerOptions,
): Promise<RunningAdmin> {
  const { admin } = settings.http;
  const dashboard = createFleetDashboard({
    ...{ host: admin.host, token: admin.token, runbookUrl: admin.runbookUrl },
    ...{ clock: systemClock, timeZone: FLEET_TIME_ZONE, version: VERSION, holder: replica },
    ...{ emit, read },
  });
  const listening = await startAdmin({
    ...admin,
    metrics: () => metrics.render(),
    dashboard,
    // Anybody may read it, so it names no host, port or role of the database.
    notReady: () =>
      read().then(
        () => null,
        () => 'The fleet’s database cannot be used.',
      ),
  });
  emit({ type: 'listening', what: 'admin', url: listening.url });
  return listening;
}
