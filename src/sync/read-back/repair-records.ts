import { QUIET_MS } from '../../runtime/quiet-ms.js';
import type { EntityPlan } from '../entity-plan.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunSettings } from '../run-settings.js';
import { runSync } from '../run/run-sync.js';
import { withWork } from '../run/with-work.js';

/** What differs in one entity. */
export interface Unequal {
  readonly plan: EntityPlan;
  readonly keys: readonly string[];
}

/** Keys in one statement. */
const BATCH_SIZE = 1_000;

/**
 * Marks records to be sent again, links kept, and sends them, unless another process holds the leases: then that one
 * does. Gives how many are repaired (of those left to another process: all), and how the sending ended.
 */
export async function repairRecords(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  unequal: readonly Unequal[],
): Promise<{ readonly count: number; readonly exitCode: number }> {
  const { state, emit, clock, signal } = dependencies;
  const batches = unequal.flatMap(({ plan, keys }) =>
    batched(keys).map((batch) => ({ entity: plan.entity, keys: batch })),
  );
  await withWork(emit, 'Marking what differs', async () => {
    for (const { entity, keys } of batches)
      await state.marks.resync(entity.name, keys, settings.areas[entity.area]?.timeoutMs ?? 0);
  });

  await clock.sleep(QUIET_MS, signal);
  const run = await runSync(dependencies, plans, settings, { trigger: 'manual', pushOnly: true });
  if (run.outcome === 'busy') {
    emit({
      type: 'warning',
      message: 'What differs is marked to be sent again; the process that holds the leases sends it.',
    });
    return { count: unequal.reduce((sum, { keys }) => sum + keys.length, 0), exitCode: 0 };
  }
  let count = 0;
  for (const { entity, keys } of batches) count += await state.readBacks.countSettled(entity.name, keys);
  return { count, exitCode: run.exitCode };
}

function batched(keys: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(keys.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, index) =>
    keys.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}
