import type { VanishedPolicy } from '../../src/core/domain/guard.js';
/**
 * A hash: 0 null, 1 to 3 payloads, 4 the hash of "absent", 5 to 7 payloads 1 to 3 with the status of what is closed.
 * Payloads 1 and 2 are of one parent, payload 3 of another. Payloads themselves have the same numbers.
 */
export type Hash = number;
export const NOTHING = 0;
export const OF_OTHER_PARENT = 3;
export const ABSENT = 4;
const FIRST_CLOSED = 5;

export const isClosed = (hash: Hash): boolean => hash >= FIRST_CLOSED;
/** What has a payload; closing it once more changes nothing. */
export const closedOf = (hash: Hash): Hash => (isClosed(hash) ? hash : hash + FIRST_CLOSED - 1);
/** The number of its payload; 0: it has none. */
export const payloadOf = (hash: Hash): Hash => (hash === ABSENT ? NOTHING : hash);
export const isOfOtherParent = (hash: Hash): boolean =>
  hash === OF_OTHER_PARENT || hash === closedOf(OF_OTHER_PARENT);

/**
 * What the source has of the record: nothing, one of the payloads 1 to 3, payload 1 with the status of what is closed,
 * or a row that fails validation. These are no hashes.
 */
export type SourceValue = number;
export const CLOSED_BY_SOURCE = 4;
export const INVALID = 5;

/** The hash of what the source wants; of nothing and of an invalid row: none. */
export function hashOfSource(source: SourceValue): Hash {
  if (source === CLOSED_BY_SOURCE) return closedOf(1);
  return source === INVALID ? NOTHING : source;
}

/** What an edit can bring. That the source closes a record makes a difference where the policy closes too. */
export const sourceValues = (policy: VanishedPolicy): readonly SourceValue[] =>
  policy === 'close' ? [0, 1, 2, 3, CLOSED_BY_SOURCE, INVALID] : [0, 1, 2, 3, INVALID];
