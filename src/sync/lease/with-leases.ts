import { untilFirstAbort } from '../../runtime/until-first-abort.js';
import type { LeaseHolder, LeaseName } from '../../ports/leases.js';
import { holdLease, type HeldLease } from './hold-lease.js';
import type { RunContext } from '../run-context.js';

export interface RunLeases {
  readonly sweep: HeldLease;
  readonly push: HeldLease;
}

type LeaseContext = Pick<RunContext, 'state' | 'settings' | 'holder' | 'clock' | 'signal'>;

type Outcome<T> = { readonly result: T } | { readonly heldBy: LeaseHolder };

/**
 * Work under leases. Its signal aborts when the process must end, or when a lease is lost: then with SyncError
 * `lease-lost` as its reason, and nothing more may be sent or published.
 */
type Work<T, L> = (leases: L, signal: AbortSignal) => Promise<T>;

/** Does `work` under both leases and releases them; or gives who holds one of them. */
export async function withLeases<T>(context: LeaseContext, work: Work<T, RunLeases>): Promise<Outcome<T>> {
  const outcome = await withLease(context, 'sweep', (sweep, signal) =>
    withLease({ ...context, signal }, 'push', (push, both) => work({ sweep, push }, both)),
  );
  return 'heldBy' in outcome ? outcome : outcome.result;
}

/** Does `work` under one lease and releases it; or gives who holds it. */
export async function withLease<T>(
  { state, settings, holder, clock, signal }: LeaseContext,
  name: LeaseName,
  work: Work<T, HeldLease>,
): Promise<Outcome<T>> {
  const held = await holdLease(state.leases, name, holder, settings.state.leaseTtlMs, clock);
  if ('heldBy' in held) return held;
  try {
    const { lease } = held;
    return { result: await untilFirstAbort([signal, lease.lost], (ends) => work(lease, ends)) };
  } finally {
    // A lease that cannot be released ends by itself; the result of the work must not be lost.
    await held.lease.release().catch(() => undefined);
  }
}
