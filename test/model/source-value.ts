import type { VanishedPolicy } from '../../src/domain/guard.js';
import { closedOf, NOTHING, type Hash } from './hash.js';

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
