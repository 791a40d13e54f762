import { AREAS } from '../domain/area.js';
import { SyncError } from '../domain/errors.js';
import { checkEnvironment } from '../sync/check-environment.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import { pushLoop } from '../sync/push-loop.js';
import type { RunDependencies } from '../sync/run-dependencies.js';
import type { RunSettings } from '../sync/run-settings.js';
import { timeoutOf } from '../sync/run-sync.js';
import { withLeases, type RunLeases } from '../sync/with-leases.js';
import { sweepLoop, type SweepSchedule } from './sweep-loop.js';

/** How long the worker waits after losing the state database, milliseconds. */
const RETRY_MS = 5_000;

/**
 * The long-running worker: sweeps on schedule and sends beside it, while it holds both leases; stands by while
 * another process does. Ends when the signal aborts: what is under way is finished and written, the leases are
 * released. Errors: SyncError of scope `usage` when the environment has changed.
 */
export async function runWorker(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  schedule: SweepSchedule,
): Promise<void> {
  const { state, clock, emit, signal } = dependencies;
  await checkEnvironment(state.environments, settings);
  let told = '';
  while (!signal.aborted) {
    try {
      const held = await withLeases(dependencies, settings.leaseTtlMs, async (leases) => {
        told = '';
        emit({ type: 'worker-active' });
        await work(dependencies, plans, settings, schedule, leases);
      });
      if (!('heldBy' in held)) continue;
      const { holder, secondsLeft } = held.heldBy;
      if (told !== holder) emit({ type: 'worker-standby', holder, secondsLeft });
      told = holder;
      await clock.sleep(settings.leaseTtlMs / 4, signal);
    } catch (error) {
      if (!(error instanceof SyncError) || error.scope === 'usage') throw error;
      emit({ type: 'run-failed', code: error.code, message: error.message, hint: error.hint });
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

/** Until the signal aborts, a lease is lost, or the state database is. */
async function work(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  schedule: SweepSchedule,
  leases: RunLeases,
): Promise<void> {
  const { state, clock, signal } = dependencies;
  // One failing loop ends the others, so that the leases are not held for half the work.
  const failed = new AbortController();
  const together = { ...dependencies, signal: AbortSignal.any([signal, failed.signal]) };
  const guard = (loop: Promise<void>) =>
    loop.catch((error: unknown) => {
      failed.abort();
      throw error;
    });
  await checkEnvironment(state.environments, settings);
  await state.queue.takeOver(leases.push.token, timeoutOf(plans, settings));
  const notBefore = clock.monotonic();
  const loops = [
    guard(sweepLoop(together, plans, settings, leases.sweep, schedule)),
    ...AREAS.filter((area) => settings.areas[area]).map((area) =>
      guard(pushLoop(together, plans, settings, leases.push, area, dependencies.rateLimit(area, notBefore))),
    ),
  ];
  const results = await Promise.allSettled(loops);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
