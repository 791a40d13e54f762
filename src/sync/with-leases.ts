import type { LeaseHolder } from '../ports/leases.js';
import { holdLease, type HeldLease } from './hold-lease.js';
import type { RunDependencies } from './run-dependencies.js';

export interface RunLeases {
  readonly sweep: HeldLease;
  readonly push: HeldLease;
}

/** Does `work` under both leases and releases them; or tells who holds one of them. */
export async function withLeases<T>(
  { state, holder, clock }: RunDependencies,
  ttlMs: number,
  work: (leases: RunLeases) => Promise<T>,
): Promise<{ readonly result: T } | { readonly heldBy: LeaseHolder }> {
  const sweep = await holdLease(state.leases, 'sweep', holder, ttlMs, clock);
  if ('heldBy' in sweep) return sweep;
  try {
    const push = await holdLease(state.leases, 'push', holder, ttlMs, clock);
    if ('heldBy' in push) return push;
    try {
      return { result: await work({ sweep: sweep.lease, push: push.lease }) };
    } finally {
      await release(push.lease);
    }
  } finally {
    await release(sweep.lease);
  }
}

/** A lease that cannot be released ends by itself; what the work came to must not be lost for that. */
async function release(lease: HeldLease): Promise<void> {
  await lease.release().catch(() => undefined);
}
