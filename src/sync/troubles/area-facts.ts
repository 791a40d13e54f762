import type { AreaFacts } from '../../domain/trouble/trouble.js';
import type { AreaState } from '../../ports/area-states.js';

/** What the last push stored about its area. When the worker tries again, only the worker knows, except after a pause. Pure. */
export function areaFacts({ area, stop, failingSince, pause }: AreaState): AreaFacts {
  const refused = stop?.code === 'authentication-refused';
  // A silent area has been silent since the first of its failures, which may be those of an earlier push.
  const since = stop?.code === 'breaker-open' ? (failingSince ?? stop.since) : stop?.since;
  return {
    area,
    stop: stop && {
      ...stop,
      since: since ?? stop.since,
      retryAt: pause?.until ?? null,
      pausedUntil: pause?.until ?? null,
    },
    credentials: refused ? 'refused' : 'unknown',
    refusedCause: refused ? stop.hint : null,
  };
}
