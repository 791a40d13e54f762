import type { EntityState } from '../ports/entity-states.js';

/** An entity as it was swept, and the mapping fingerprint that it is configured with. */
export interface SweptEntity extends Pick<
  EntityState,
  'readAt' | 'lastSweepAt' | 'fullSweepRequested' | 'fingerprint'
> {
  readonly configured: string;
}

/**
 * Whether a further slice only sends: every entity was swept with the mapping of now, the last one within the tenant's
 * period, and none is asked to be swept in full. The last one counts, because a sweep of all may take longer than a
 * period. Times are the database's. Pure.
 */
export function isSweepFresh(entities: readonly SweptEntity[], periodMs: number): boolean {
  const isWhole = entities.every(
    ({ lastSweepAt, fullSweepRequested, fingerprint, configured }) =>
      lastSweepAt !== null && !fullSweepRequested && fingerprint === configured,
  );
  const ages = entities.map(
    ({ readAt, lastSweepAt }) => Date.parse(readAt) - (lastSweepAt?.getTime() ?? -Infinity),
  );
  return isWhole && Math.min(...ages) < periodMs;
}
