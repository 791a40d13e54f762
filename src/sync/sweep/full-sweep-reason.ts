import type { EntityState } from '../../ports/entity-states.js';

/** Why every row has to be read and mapped, whatever its version says; null: only what differs. */
export function fullSweepReason(
  state: EntityState,
  fingerprint: string,
  fullEveryMs: number,
): 'first sweep' | 'mapping changed' | 'asked for' | 'due by sweep.fullEvery' | null {
  if (state.fingerprint === null) return 'first sweep';
  if (state.fingerprint !== fingerprint) return 'mapping changed';
  if (state.fullSweepRequested) return 'asked for';
  if (state.sinceFullSweepMs === null || state.sinceFullSweepMs >= fullEveryMs)
    return 'due by sweep.fullEvery';
  return null;
}
