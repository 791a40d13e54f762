import type { LeaseHolder, LeaseName } from '../ports/leases.js';
import { holdLease, type HeldLease } from './hold-lease.js';
import type { RunDependencies } from './run-dependencies.js';

export interface RunLeases {
  readonly sweep: HeldLease;
  readonly push: HeldLease;
}

type Outcome<T> = { readonly result: T } | { readonly heldBy: LeaseHolder };

/** Does `work` under both leases and releases them; or tells who holds one of them. */
export async function withLeases<T>(
  dependencies: RunDependencies,
  ttlMs: number,
  work: (leases: RunLeases) => Promise<T>,
): Promise<Outcome<T>> {
  const outcome = await withLease(dependencies, 'sweep', ttlMs, (sweep) =>
    withLease(dependencies, 'push', ttlMs, (push) => work({ sweep, push })),
  );
  return 'heldBy' in outcome ? outcome : outcome.result;
}

/** Does `work` under one lease and releases it; or tells who holds it. */
export async function withLease<T>(
  { state, holder, clock }: RunDependencies,
  name: LeaseName,
  ttlMs: number,
  work: (lease: HeldLease) => Promise<T>,
): Promise<Outcome<T>> {
  const held = await holdLease(state.leases, name, holder, ttlMs, clock);
  if ('heldBy' in held) return held;
  try {
    return { result: await work(held.lease) };
  } finally {
    // A lease that cannot be released ends by itself; what the work came to must not be lost for that.
    await held.lease.release().catch(() => undefined);
  }
}
