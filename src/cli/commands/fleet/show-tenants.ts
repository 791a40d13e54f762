import { fleetReport } from '../../../fleet/fleet-report.js';
import { lookAtJobs } from '../../../fleet/job-queue.js';
import { engineSchema } from '../../../domain/fleet.js';
import { readFleetReport } from '../../compose/fleet/read-fleet-report.js';
import { systemClock } from '../../compose/system-clock.js';
import { printFleetList } from '../../output/print-fleet-list.js';
import { printFleetStatus } from '../../output/print-fleet-status.js';
import { writeJson } from '../../output/write.js';
import { tenantsCommand } from './fleet-command.js';

/** All tenants, by name. */
export const fleetList = tenantsCommand(async ({ tenants }, { command }) => {
  const { json = false } = command.opts<{ json?: boolean }>();
  const report = fleetReport(await tenants.list(), new Date(systemClock.now()), null);
  printFleetList(report, { json });
  return 0;
});

/** The state of the fleet, the worst tenants first. It changes nothing, and needs no engine that works. */
export const fleetStatus = tenantsCommand(async ({ looking }, { command, fleet }) => {
  const { json = false } = command.opts<{ json?: boolean }>();
  const { database, schema } = fleet.settings.fleet;
  const counts = () => lookAtJobs({ url: database.url, schema: engineSchema(schema) });
  const report = await readFleetReport(looking, { counts });
  if (json) writeJson(report);
  else printFleetStatus(report);
  return 0;
});
