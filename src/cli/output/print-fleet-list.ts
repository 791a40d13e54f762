import { PLAIN_WORDS } from '../../domain/trouble/text/plain-words.js';
import type { FleetReport } from '../../fleet/fleet-report.js';
import { tenantsByName } from '../../fleet/tenants-by-name.js';
import { table } from './table.js';
import { progressCells, stateCell } from './tenant-cells.js';
import { say, writeOut } from './write.js';

/** Every tenant, in the order of the names, for people. */
export function printFleetList({ tenants }: FleetReport, timeZone: string): void {
  if (tenants.length === 0) return say('No tenants yet. Add one: placement-sync fleet add TENANT.yaml');
  const rows = tenantsByName(tenants).map((tenant) => [
    tenant.name,
    stateCell(tenant.state),
    PLAIN_WORDS.span(tenant.periodMs),
    tenant.lane,
    ...progressCells(tenant, timeZone),
    tenant.schema,
  ]);
  writeOut(table(['', 'state', 'period', 'lane', 'last success', 'pending', 'schema'], rows));
}
