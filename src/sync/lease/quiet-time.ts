import type { Clock } from '../../ports/clock.js';
import type { HeldLease } from './hold-lease.js';

/** The rate counts requests in any sliding second, so sending keeps this distance to what was sent before, milliseconds. */
export const QUIET_MS = 1_003;

/** Monotonic time before which nothing may be sent under a lease that was just taken: its former holder may have sent. */
export function quietUntil({ idleMs }: Pick<HeldLease, 'idleMs'>, clock: Pick<Clock, 'monotonic'>): number {
  return clock.monotonic() + (idleMs === null ? 0 : Math.max(0, QUIET_MS - idleMs));
}
