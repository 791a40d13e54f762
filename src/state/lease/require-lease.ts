import type { Fence, LeaseName } from '../../ports/leases.js';
import { holdsLease } from './holds-lease.js';
import { leaseNotHeld } from './lease-not-held.js';
import type { Statements } from '../database/state-database.js';

/** Errors: SyncError `lease-lost` when the lease is not held. */
export async function requireLease(statements: Statements, name: LeaseName, fence: Fence): Promise<void> {
  if (!(await holdsLease(statements, name, fence))) throw leaseNotHeld(name);
}
