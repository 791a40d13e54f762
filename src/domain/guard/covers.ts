import type { HoldCounts } from './hold.js';

/**
 * Whether an approval for these counts allows a sweep with those: no more in any count. Renewed keys are not compared: a
 * new record needs no approval. Pure.
 */
export function covers(approved: HoldCounts | null, counts: HoldCounts): boolean {
  return (
    approved !== null &&
    counts.vanished <= approved.vanished &&
    counts.invalid <= approved.invalid &&
    (counts.changed ?? 0) <= (approved.changed ?? 0)
  );
}
