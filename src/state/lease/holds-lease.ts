import type { Fence, LeaseName } from '../../ports/leases.js';
import { fenceParameters, heldLeaseSql } from './held-lease-sql.js';
import type { Statements } from '../database/state-database.js';

/**
 * After a statement of a holder that changed nothing: was there nothing to change, or is its lease lost? Keeps nobody
 * from taking the lease; `checkLease` does.
 */
export async function holdsLease(statements: Statements, name: LeaseName, fence: Fence): Promise<boolean> {
  const held = await statements.query(
    `select 1 from :schema:.lease where ${heldLeaseSql(name)}`,
    fenceParameters(fence),
  );
  return held.length > 0;
}
