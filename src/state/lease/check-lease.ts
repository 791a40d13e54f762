import type { Fence, LeaseName } from '../../ports/leases.js';
import { fenceParameters, heldLeaseSql } from './held-lease-sql.js';
import { leaseNotHeld } from './lease-not-held.js';
import type { Statements } from '../database/state-database.js';

/**
 * Ends a transaction whose lease went to somebody else, and keeps the lease from changing hands until it is over: a
 * key share lock stands against whoever takes the lease, which locks the row for update, and not against its renewal.
 * Errors: SyncError `lease-lost`.
 */
export async function checkLease(statements: Statements, name: LeaseName, fence: Fence): Promise<void> {
  const held = await statements.query(
    `select 1 from :schema:.lease where ${heldLeaseSql(name)} for key share`,
    fenceParameters(fence),
  );
  if (held.length === 0) throw leaseNotHeld(name);
}
