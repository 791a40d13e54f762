import type { EntityState, ListedRun } from '../ports/runs.js';

/**
 * Whether a further slice only sends. `latest`: the last run of the ledger, a sweep with its push or a slice that followed
 * one. It went through all entities when it ended, and nothing ended it. The entity that was swept last was swept within
 * the tenant's period; others may be older, because they failed, are held, or took longer together. None is asked to be
 * swept in full, but those that are held, which a sweep would not change. Times are the database's. Pure.
 */
export function isSweepFresh(
  latest: Pick<ListedRun, 'finishedAt' | 'error'> | undefined,
  entities: readonly Pick<EntityState, 'readAt' | 'lastSweepAt' | 'fullSweepRequested' | 'hold'>[],
  periodMs: number,
): boolean {
  if (!latest?.finishedAt || latest.error !== null) return false;
  if (entities.some(({ fullSweepRequested, hold }) => fullSweepRequested && hold === null)) return false;
  const ages = entities.map(
    ({ readAt, lastSweepAt }) => Date.parse(readAt) - (lastSweepAt?.getTime() ?? -Infinity),
  );
  return Math.min(...ages) < periodMs;
}
