import type { AdapterState } from '../../core/contract/adapter.js';
import { oneLineUpTo, type ShownState } from '../../core/domain/reply/reply.js';
import type { JsonObject } from '../../core/domain/row.js';
import type { Comparison } from './compare-read-back.js';

/**
 * What the platform makes of a record after it was accepted, by what a Find shows (`shownState`). The adapter may say it.
 * Else only this is sure: the status is another than the one that was sent, so somebody at the platform may have changed
 * it.
 */

interface StatedEntity {
  readonly statusField: string | null;
  /** The status that we send to close a record. */
  readonly closedStatus: string;
}

/** The status that the interface shows. A record that is open although another status was sent was not taken down. */
const OPEN = 'open';

/** Longest word that is kept. */
const LONGEST = 60;

/**
 * The state that a Find shows, with the comparison of the other fields; null: none, or the status is as it was sent.
 *
 * @param body the request body
 * @param said what the adapter says of it
 */
export function shownState(
  { statusField, closedStatus }: StatedEntity,
  body: JsonObject,
  comparison: Comparison,
  said?: AdapterState,
): { readonly shown: ShownState | null; readonly comparison: Comparison } {
  const sent = statusField === null ? null : (body[statusField] ?? null);
  const differing = comparison.drift.find(({ field }) => field === statusField);
  const other = heldWord(differing);
  if (said !== undefined) {
    // The word is another spelling of what was sent, unless that was not to be live.
    const meant = said !== 'live' || !isSame(sent, closedStatus);
    const drift = comparison.drift.filter((each) => each !== differing);
    return {
      shown: { state: said, word: other ?? said },
      comparison: meant ? { ...comparison, drift } : comparison,
    };
  }
  if (other === null || isSame(sent, other) || isSame(OPEN, other)) return { shown: null, comparison };
  return { shown: { state: 'other', word: other }, comparison };
}

function heldWord(differing: Comparison['drift'][number] | undefined): string | null {
  const held = differing?.held;
  return typeof held === 'string' && held.trim() !== '' ? oneLineUpTo(LONGEST, held) : null;
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.trim().toLowerCase() === other.trim().toLowerCase();
}
