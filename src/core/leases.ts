import { SyncError } from './domain/errors.js';
import type { Emit } from './domain/events.js';
import type { Clock, Fence, Lease, LeaseHolder, LeaseName } from './ports/clock.js';
import { QUIET_MS, untilFirstAbort } from './runtime/time.js';
import type { RunContext } from './context.js';
import type { Leases } from './ledger/lease.js';

/**
 * Work under leases: acquire, renew beside the work, stop the work when a lease is lost, release.
 *
 * Time is counted on this process's own clocks from before each request, and only two thirds of it: so the process stops
 * before the database may give the lease to another one. While a machine is suspended its monotonic clock may stand still, and
 * the other one not: the one that says more counts. What is written under a lease is fenced as well.
 */

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

/** Reports that somebody else holds a lease; true: under this process's own name. */
export function reportTaken(
  { emit, holder: us }: Pick<RunContext, 'emit' | 'holder'>,
  { name, holder, secondsLeft }: LeaseHolder,
): boolean {
  const own = holder === us;
  emit({ type: 'lease-taken', lease: name, holder, secondsLeft, own });
  return own;
}

/** A lease that renews itself until it is released or lost. */
export type HeldLease = ReturnType<typeof keepLease>;

export async function holdLease(
  leases: Leases,
  name: LeaseName,
  holder: string,
  ttlMs: number,
  clock: Clock,
): Promise<{ readonly lease: HeldLease } | { readonly heldBy: LeaseHolder }> {
  const asked = moment(clock);
  const acquired = await leases.acquire(name, holder, ttlMs);
  return 'heldBy' in acquired
    ? acquired
    : { lease: keepLease(leases, name, acquired.lease, ttlMs, clock, asked) };
}

/** A moment of both clocks. */
const moment = (clock: Clock) => ({ monotonic: clock.monotonic(), now: clock.now() });

/** Null after so many milliseconds; keeps no process alive. */
function noAnswer(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
}

/** Time counts from before the request: the database's clock starts the lease later. */
function keepLease(
  leases: Leases,
  name: LeaseName,
  lease: Lease,
  ttlMs: number,
  clock: Clock,
  asked: ReturnType<typeof moment>,
) {
  let safeSince = asked;
  const safeMs = (ttlMs * 2) / 3;
  let over = false;
  const lost = new AbortController();
  const end = (reason: SyncError) => {
    over = true;
    if (!lost.signal.aborted) lost.abort(reason);
  };
  /** False after two thirds of its time without renewal, and from then on: nothing more may be sent or published. */
  const held = () => {
    const { monotonic, now } = moment(clock);
    over ||= Math.max(monotonic - safeSince.monotonic, now - safeSince.now) >= safeMs;
    if (over) end(leaseLost(name));
    return !over;
  };
  let renewing = false;
  const renew = async () => {
    if (!held() || renewing) return;
    renewing = true;
    const asking = moment(clock);
    try {
      const answer = leases.renew(lease, ttlMs);
      // A late refusal counts too.
      answer.then(
        (renewed) => renewed || over || end(leaseLost(name)),
        () => undefined,
      );
      // A missing answer must not stop the next renewal.
      if ((await Promise.race([answer, noAnswer(ttlMs / 4)])) === true) safeSince = asking;
    } catch {
      // The database may be back before the time is over.
    } finally {
      renewing = false;
      held();
    }
  };
  const timer = setInterval(() => void renew(), ttlMs / 4);
  timer.unref();
  return {
    /**
     * Runs a statement that counts only while the lease is held. If it finds the lease lost (SyncError `lease-lost`),
     * the lease ends here too, with all other work under it. Errors: those of `statement`.
     */
    async fenced<T>(statement: (fence: Fence) => Promise<T>): Promise<T> {
      try {
        return await statement(lease.fence);
      } catch (error) {
        if (error instanceof SyncError && error.code === 'lease-lost') end(error);
        throw error;
      }
    },
    /** Milliseconds since the former lease ended; null: never held; negative: its holder may still go on for so long. */
    idleMs: lease.idleMs,
    held,
    /** Aborts when it is no longer held, with SyncError `lease-lost` as its reason. */
    lost: lost.signal,
    async release() {
      over = true;
      clearInterval(timer);
      await leases.release(lease);
    },
  };
}

/** What ends a run that may no longer publish (sweep) or send (push). */
export function leaseLost(name: LeaseName): SyncError {
  return new SyncError(
    'lease-lost',
    `The process lost the ${name} lease: it did not renew it in time, or another process took it. It stopped reading and sending.`,
    {
      scope: 'run',
      hint: 'Nothing is lost: whoever holds the leases next continues. If this happens often, raise state.leaseTtl.',
    },
  );
}

/** Monotonic time before which nothing may be sent under a lease that was just taken: its former holder may have sent. */
export function quietUntil({ idleMs }: Pick<HeldLease, 'idleMs'>, clock: Pick<Clock, 'monotonic'>): number {
  return clock.monotonic() + (idleMs === null ? 0 : Math.max(0, QUIET_MS - idleMs));
}

/** Does `task` and reports it as under way meanwhile. `work`: what it is, without a full stop. */
export async function withWork<T>(emit: Emit, work: string, task: () => Promise<T>): Promise<T> {
  emit({ type: 'work-started', work, total: null });
  try {
    return await task();
  } finally {
    emit({ type: 'work-ended', work });
  }
}
