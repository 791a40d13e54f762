import type { AreaFacts } from '../../domain/trouble/trouble-facts.js';
import type { AreaState } from '../../ports/area-states.js';

/** What the last push stored about its area. When the worker tries again, only the worker knows. Pure. */
export function areaFacts({ area, stop }: AreaState): AreaFacts {
  const refused = stop?.code === 'authentication-refused';
  return {
    area,
    stop: stop && { ...stop, retryAt: null },
    credentials: refused ? 'refused' : 'unknown',
    refusedCause: refused ? stop.hint : null,
  };
}
