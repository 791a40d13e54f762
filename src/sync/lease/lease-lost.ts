import { SyncError } from '../../domain/errors.js';
import type { LeaseName } from '../../ports/leases.js';

/** What ends a run that may no longer publish (sweep) or send (push). */
export function leaseLost(name: LeaseName): SyncError {
  return new SyncError(
    'lease-lost',
    `The ${name} lease could not be renewed in time; another process may be working.`,
    {
      scope: 'run',
      hint: 'Nothing was lost: the next run continues. If this happens often, raise state.leaseTtl.',
    },
  );
}
