import type { EntityPlan } from '../entity-plan.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunSettings } from '../run-settings.js';
import { withWork } from '../run/with-work.js';
import { doubtGraceMs } from './doubt-grace-ms.js';

/**
 * Waits until what is sent from now on settles the doubt of these entities: it would be sent once more otherwise,
 * because a request of before may still arrive after it. Does nothing where there is no doubt.
 */
export async function outlastDoubt(
  { state, clock, emit, signal }: Pick<RunDependencies, 'state' | 'clock' | 'emit' | 'signal'>,
  plans: readonly EntityPlan[],
  settings: RunSettings,
): Promise<void> {
  let waitMs = 0;
  for (const { entity } of plans) {
    const { inDoubtSince, readAt } = await state.entityStates.read(entity.name);
    if (inDoubtSince === null) continue;
    const since = new Date(readAt).getTime() - inDoubtSince.getTime();
    waitMs = Math.max(waitMs, doubtGraceMs(entity.area, settings) - since);
  }
  if (waitMs > 0)
    await withWork(emit, 'Waiting for requests from before the restore', () => clock.sleep(waitMs, signal));
}
