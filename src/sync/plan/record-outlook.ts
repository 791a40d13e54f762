import type { RecordStanding } from '../../ports/forecasts.js';
import type { StagedFinding } from '../../ports/staging.js';

/**
 * What a run does with a record of which its sweep has found something: as the ledger publishes a finding, and as the
 * claim chooses. `send`: unless it has to wait for its parent.
 */
export type RecordOutlook = 'send' | 'nothing' | 'invalid' | 'rejected' | 'deferred';

/** `before`: null when the ledger does not have the record. Pure. */
export function recordOutlook(
  { kind, desiredHash: desired }: Pick<StagedFinding, 'kind' | 'desiredHash'>,
  before: RecordStanding | null,
): RecordOutlook {
  if (kind === 'invalid') return 'invalid';
  if (desired === null) return 'nothing';
  if (before === null) return 'send';
  // A record that was never tried leaves the ledger when it vanishes.
  if (kind === 'vanished' && !before.tried) return 'nothing';
  // Another payload starts without its rejection and its pause, and so does a record that vanishes.
  const same = kind !== 'vanished' && desired === before.desiredHash;
  if (same && before.refusedHash === desired) return 'rejected';
  if (desired === before.acknowledgedHash && !before.confirming) return 'nothing';
  return same && before.postponed ? 'deferred' : 'send';
}
