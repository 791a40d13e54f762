import type { TenantReport } from './tenant-report.js';

/** In the order of their names, as `fleet list` and `fleet list --json` have them. Pure. */
export function tenantsByName(tenants: readonly TenantReport[]): readonly TenantReport[] {
  // Names are plain letters, so this order is the database's too.
  return tenants.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
