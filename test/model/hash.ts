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
