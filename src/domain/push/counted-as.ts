import type { CountedOutcome } from './count-outcome.js';

/** How the outcome of a claim counts; null: handed back, so not sent and still pending. Pure. */
export function countedAs(
  outcome:
    | { readonly kind: 'accepted' | 'refused' | 'handed-back' }
    | { readonly kind: 'deferred'; readonly exhausted: boolean },
): CountedOutcome | null {
  switch (outcome.kind) {
    case 'accepted':
      return 'accepted';
    case 'refused':
      return 'rejected';
    case 'deferred':
      return outcome.exhausted ? 'rejected' : 'deferred';
    case 'handed-back':
      return null;
  }
}
