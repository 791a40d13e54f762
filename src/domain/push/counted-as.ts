import type { CountedOutcome } from './count-outcome.js';

/** As what the outcome of a claim is counted; null: handed back, so that it stays pending and was not sent. Pure. */
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
