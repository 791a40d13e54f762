import { SyncError } from '../../domain/errors.js';
import type { LeaseName } from '../../ports/leases.js';

/** What a statement ends with that finds its lease over, or with somebody else. */
export function leaseNotHeld(name: LeaseName): SyncError {
  return new SyncError(
    'lease-lost',
    `The ${name} lease is no longer held by this process; another one may be working.`,
    {
      scope: 'run',
      hint: 'Nothing more is sent by this process: the next run continues. If this happens often, raise state.leaseTtl.',
    },
  );
}
