import type { EntityState } from '../ports/entity-states.js';

/**
 * Whether every entity was swept within the tenant's period, and none is asked to be swept in full: then a further slice
 * only sends. Both times are the database's. Pure.
 */
export function isSweepFresh(
  entities: readonly Pick<EntityState, 'readAt' | 'lastSweepAt' | 'fullSweepRequested'>[],
  periodMs: number,
): boolean {
  return entities.every(
    ({ readAt, lastSweepAt, fullSweepRequested }) =>
      !fullSweepRequested && lastSweepAt !== null && Date.parse(readAt) - lastSweepAt.getTime() < periodMs,
  );
}
