import type { EntityName } from './names.js';
import type { PushCounters } from './outcome.js';

/** How the outcome of a claim counts; null: handed back, so not sent and still pending. */
export function countedAs(
  outcome:
    | { readonly kind: 'accepted' | 'refused' | 'handed-back'; readonly control?: boolean }
    | { readonly kind: 'deferred'; readonly exhausted: boolean },
): CountedOutcome | null {
  switch (outcome.kind) {
    case 'accepted':
      // It was counted when it was accepted first.
      return outcome.control === true ? null : 'accepted';
    case 'refused':
      return 'rejected';
    case 'deferred':
      return outcome.exhausted ? 'rejected' : 'deferred';
    case 'handed-back':
      return null;
  }
}

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

/** What a push sent, by entity; without the entities of which it sent nothing. */
export function sentOf(
  counters: ReadonlyMap<EntityName, PushCounters>,
  among: readonly EntityName[],
): Readonly<Record<EntityName, PushCounters>> {
  return Object.fromEntries(
    among.flatMap((name) => {
      const counted = counters.get(name);
      if (!counted || counted.sent === 0) return [];
      const { sent, accepted, rejected, deferred } = counted;
      return [[name, { sent, accepted, rejected, deferred }]];
    }),
  );
}

/** Refusals of an entity before its first acceptance under one mapping fingerprint. */
export interface RefusalTally {
  readonly refusedInARow: number;
  readonly acceptedOnce: boolean;
}

export function tallyReply(tally: RefusalTally, kind: 'accepted' | 'refused'): RefusalTally {
  if (tally.acceptedOnce) return tally;
  return kind === 'accepted'
    ? { refusedInARow: 0, acceptedOnce: true }
    : { refusedInARow: tally.refusedInARow + 1, acceptedOnce: false };
}

/** The contract seems to have changed: the platform refuses every payload, not only bad data. */
export function refusedTooOften(tally: RefusalTally, maxRejectedInARow: number): boolean {
  return !tally.acceptedOnce && tally.refusedInARow >= maxRejectedInARow;
}
