import { expect } from 'vitest';
import { addMixedRecords, createDashboardWorld, type DashboardWorld } from './dashboard-world.js';

/** A world whose first run has left records of every kind. */
export async function mixedWorld(): Promise<DashboardWorld> {
  const world = await createDashboardWorld({ prepare: addMixedRecords });
  const count = async (where: string) =>
    (await world.sql(`select 1 from placement_sync.sync_state where ${where}`)).length;
  await expect.poll(() => count('refused_hash is not null'), { timeout: 60_000 }).toBe(1);
  await expect.poll(() => count('settled'), { timeout: 60_000 }).toBeGreaterThan(10);
  return world;
}
