import type { Area } from '../../domain/names.js';
import type { AreaCondition } from '../../domain/area-condition.js';
import type { AreaFinding, AreaState } from '../../ports/area-states.js';

/** What a push learned about its area, to be stored; null: nothing new. `before`: what was stored. Pure. */
export function learnedOf(
  area: Area,
  before: AreaState | null,
  { answered, transientInARow, lastError, stop }: AreaCondition,
): AreaFinding | null {
  if (!answered && stop === null && transientInARow === (before?.failuresInARow ?? 0)) return null;
  return {
    area,
    answered,
    failuresInARow: transientInARow,
    lastError: answered ? lastError : (lastError ?? before?.lastError ?? null),
    // A push that was cut short before an answer does not know better.
    stop: stop ?? (answered ? null : standing(before)),
  };
}

function standing(before: AreaState | null): AreaFinding['stop'] {
  if (!before?.stop) return null;
  const { code, message, hint } = before.stop;
  return { code, message, hint, ...(before.pause ? { delayMs: before.pause.leftMs } : {}) };
}
