import { SyncError } from '../../domain/errors.js';
import type { Fence, LeaseName } from '../../ports/leases.js';
import type { Statements } from '../database/state-database.js';

/**
 * SQL: the condition on a row of `lease` that it is held under `:token` and `:nonce`. Every statement of a holder
 * compares both, because a database that went back in time hands out a token twice.
 */
export function heldLeaseSql(name: LeaseName): string {
  return `name = '${name}' and token = :token and nonce = :nonce and expires_at > clock_timestamp()`;
}

/** The parameters `:token` and `:nonce`. */
export function fenceParameters({ token, nonce }: Fence): { readonly token: string; readonly nonce: string } {
  return { token: String(token), nonce };
}

/**
 * After a holder's statement that changed nothing: is its lease lost, or was there nothing to change? Does not block
 * others from taking the lease; `checkLease` does.
 */
export async function holdsLease(statements: Statements, name: LeaseName, fence: Fence): Promise<boolean> {
  const held = await statements.query(
    `select 1 from :schema:.lease where ${heldLeaseSql(name)}`,
    fenceParameters(fence),
  );
  return held.length > 0;
}

/** Errors: SyncError `lease-lost` when the lease is not held. */
export async function requireLease(statements: Statements, name: LeaseName, fence: Fence): Promise<void> {
  if (!(await holdsLease(statements, name, fence))) throw leaseNotHeld(name);
}

/**
 * Ends a transaction whose lease another process took, and holds the lease until the transaction ends: a key share lock
 * blocks taking the lease, which locks the row for update, but not its renewal.
 * Errors: SyncError `lease-lost`.
 */
export async function checkLease(statements: Statements, name: LeaseName, fence: Fence): Promise<void> {
  const held = await statements.query(
    `select 1 from :schema:.lease where ${heldLeaseSql(name)} for key share`,
    fenceParameters(fence),
  );
  if (held.length === 0) throw leaseNotHeld(name);
}

/** The error of a statement whose lease ended or went to another process. */
export function leaseNotHeld(name: LeaseName): SyncError {
  return new SyncError(
    'lease-lost',
    `The process lost the ${name} lease: it did not renew it in time, or another process took it.`,
    {
      scope: 'run',
      hint: 'This process sends nothing more. The next run continues. If this happens often, raise state.leaseTtl.',
    },
  );
}
