/** Translates moments of the database's clock into moments of our own. */
export interface SharedClock {
  /** Our moment at which the database's clock showed `at`, given when we asked and when its answer was seen. */
  toOwn(at: number, askedAt: number, answeredAt: number): number;
}

/**
 * An answer may be seen late: the event loop stood still, or the server was slow to commit. Times that counted from there
 * would be late by as much, and each differently. So the answer that came quickest decides how far the database's clock
 * is ahead, until an answer contradicts it: then that clock was set back.
 */
export function createSharedClock(): SharedClock {
  let ahead = Number.NEGATIVE_INFINITY;
  return {
    toOwn(at, askedAt, answeredAt) {
      const isSetBack = at - askedAt < ahead;
      ahead = isSetBack ? at - answeredAt : Math.max(ahead, at - answeredAt);
      return at - ahead;
    },
  };
}
