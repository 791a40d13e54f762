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
