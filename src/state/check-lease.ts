import { SyncError } from '../domain/errors.js';
import type { LeaseName } from '../ports/leases.js';
import type { Statements } from './state-database.js';

/**
 * Ends a transaction whose lease went to somebody else, and keeps the lease from changing hands until it is over: a
 * key share lock stands against whoever takes the lease, which locks the row for update, and not against its renewal.
 * Errors: SyncError `lease-lost`.
 */
export async function checkLease(statements: Statements, name: LeaseName, token: bigint): Promise<void> {
  const held = await statements.query(
    `select 1 from :schema:.lease where name = :name and token = :token and expires_at > clock_timestamp() for key share`,
    { name, token: String(token) },
  );
  if (held.length === 0) {
    throw new SyncError(
      'lease-lost',
      `The ${name} lease is no longer held by this process; another one may be working.`,
      {
        scope: 'run',
        hint: 'Nothing was lost: the next run continues. If this happens often, raise state.leaseTtl.',
      },
    );
  }
}
