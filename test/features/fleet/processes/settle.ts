import { setTimeout as wait } from 'node:timers/promises';
import { differences } from './compare-platform.js';
import type { FleetWorld } from './fleet-world.js';
import type { Feeder } from './keep-busy.js';
import { unsettled } from './ledger-runs.js';

/** After a kill a request is confirmed twice its time-out later; and the machine may be busy. */
export const PATIENCE_MS = 90_000;

/**
 * Nobody is killed and nothing changes any more: each tenant runs once more, and those that are not in step run again. Gives what
 * is not in step at the end.
 */
export async function settle(
  world: FleetWorld,
  feeder: Feeder,
  tenants = world.tenants,
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  await feeder.calm();
  const until = Date.now() + patienceMs;
  let left: readonly string[] = tenants;
  for (;;) {
    await feeder.send(left);
    await wait(2_000);
    const different = await differences(world, tenants);
    const problems = [...[...different.values()].flat(), ...(await unsettled(world, tenants))];
    if (problems.length === 0 || Date.now() > until) return problems;
    left = tenants.filter((tenant) => problems.some((problem) => problem.startsWith(tenant)));
  }
}
