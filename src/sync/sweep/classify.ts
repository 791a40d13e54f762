import type { LedgerEntry } from '../../ports/ledger.js';

/** How a mapped row stands to what the ledger has. */
export type Standing = 'new' | 'changed' | 'unchanged' | 'invalid' | 'foreign';

/**
 * `hash`: of the mapped payload, null when the row is invalid. A record that returned, or that was invalid, has
 * changed even if its payload is the one wanted before.
 */
export function classify(known: LedgerEntry | null, hash: string | null): Standing {
  if (hash === null) return 'invalid';
  if (known === null) return 'new';
  return known.vanished || known.invalid || known.desiredHash !== hash ? 'changed' : 'unchanged';
}
