import type { Clock } from '../../ports/clock.js';
import { QUIET_MS } from '../../runtime/quiet-ms.js';
import type { HeldLease } from './hold-lease.js';

/** Monotonic time before which nothing may be sent under a lease that was just taken: its former holder may have sent. */
export function quietUntil({ idleMs }: Pick<HeldLease, 'idleMs'>, clock: Pick<Clock, 'monotonic'>): number {
  return clock.monotonic() + (idleMs === null ? 0 : Math.max(0, QUIET_MS - idleMs));
}
