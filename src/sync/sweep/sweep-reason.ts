import type { EntityState } from '../../ports/entity-states.js';

/**
 * Why a sweep reads as much as it does, from the most to the least.
 * - `first sweep`: every row. The ledger knows nothing of the entity, or belongs to another platform since, so that ids
 *   may differ.
 * - `mapping changed`: every row, and vanished records are judged again.
 * - `asked for`, `due by sweep.fullEvery`: every row, under the mapping of the last sweep.
 * - `what differs`: only rows with another row version.
 */
export type SweepReason =
  'first sweep' | 'mapping changed' | 'asked for' | 'due by sweep.fullEvery' | 'what differs';

export function sweepReason(state: EntityState, fingerprint: string, fullEveryMs: number): SweepReason {
  if (state.fingerprint === null) return 'first sweep';
  if (state.fingerprint !== fingerprint) return 'mapping changed';
  if (state.fullSweepRequested) return 'asked for';
  if (state.sinceFullSweepMs === null || state.sinceFullSweepMs >= fullEveryMs)
    return 'due by sweep.fullEvery';
  return 'what differs';
}

/** Whether every row is read and mapped, whatever its row version. */
export function isFull(reason: SweepReason): boolean {
  return reason !== 'what differs';
}

/** Whether the mapping is the one of the last sweep. */
export function hasSameMapping(reason: SweepReason): boolean {
  return reason !== 'first sweep' && reason !== 'mapping changed';
}

/** Whether what changed comes from the source alone: neither the mapping changed, nor did anybody ask for a resync. */
export function isUnprompted(reason: SweepReason): boolean {
  return hasSameMapping(reason) && reason !== 'asked for';
}

/** Whether the ledger's ids may have been made with another namespace, so that also unchanged records are written. */
export function idsMayDiffer(reason: SweepReason): boolean {
  return reason === 'first sweep';
}
