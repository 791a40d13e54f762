import type { PushCounters } from '../outcome.js';

export type CountedOutcome = 'accepted' | 'rejected' | 'deferred';

/**
 * Counts records by their last outcome: one that was tried before in this push moves from its former outcome to
 * the new one, so that sent = accepted + rejected + deferred always holds.
 */
export function countOutcome(
  counters: PushCounters,
  previous: 'accepted' | 'deferred' | null,
  outcome: CountedOutcome,
): void {
  if (previous === null) counters.sent += 1;
  else counters[previous] -= 1;
  counters[outcome] += 1;
}
