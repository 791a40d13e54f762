import { PLAIN_WORDS } from '../../domain/trouble/describe-trouble.js';
import { type FleetReport, tenantsByName } from '../../fleet/fleet-report.js';
import { ownTimeZone } from './own-time-zone.js';
import { table } from './table.js';
import { progressCells, stateCell } from './tenant-cells.js';
import { say, writeJson, writeOut } from './write.js';

/** Every tenant, in the order of the names; as JSON `{ "tenants": [ … ] }`. `timeZone`: default that of this process. */
export function printFleetList(
  { tenants }: Pick<FleetReport, 'tenants'>,
  { json = false, timeZone = ownTimeZone() }: { readonly json?: boolean; readonly timeZone?: string } = {},
): void {
  if (json) return writeJson({ tenants: tenantsByName(tenants) });
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
