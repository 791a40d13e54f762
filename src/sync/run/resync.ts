import type { EntityPlan } from '../entity-plan.js';
import { checkEnvironment } from '../environment/check-environment.js';
import { requestSweep } from './request-sweep.js';
import { outlastDoubt } from '../read-back/outlast-doubt.js';
import { beginSettlement } from '../read-back/settle-doubt.js';
import { runSync } from './run-sync.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunReport } from './run-report.js';
import type { RunSettings } from '../run-settings.js';
import { withWork } from './with-work.js';

/**
 * Sends everything (or these keys) again, links kept, after a sweep that reads it in full. While another process
 * holds the leases it only marks the records, asks for the full sweep now, and leaves both to that process. `named`: the
 * entities were asked for by name; otherwise what is not known to be repeatable (application statuses) is left alone.
 */
export async function resync(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  keys: readonly string[] | null,
  named: boolean,
): Promise<RunReport> {
  const { state, emit } = dependencies;
  await checkEnvironment(state.environments, settings);
  const mark = async () => {
    for (const { entity } of plans.filter((plan) => named || plan.entity.repeatable)) {
      const timeoutMs = settings.areas[entity.area]?.timeoutMs ?? 0;
      const doubt =
        keys === null ? await beginSettlement(dependencies, entity.name, entity.area, settings) : null;
      const marked = await withWork(emit, `Marking ${entity.name}`, () =>
        state.marks.resync(entity.name, keys, timeoutMs),
      );
      await doubt?.finish();
      if (keys === null) await state.entityStates.requestFullSweep(entity.name);
      else if (marked < keys.length) {
        emit({
          type: 'warning',
          message: `${entity.name}: ${marked} of ${keys.length} keys are records that can be sent again; the others are unknown to the ledger, invalid or vanished.`,
        });
      }
    }
  };
  const prepare = async () => {
    if (keys === null) await outlastDoubt(dependencies, plans, settings);
    await mark();
  };
  const report = await runSync(dependencies, plans, settings, { trigger: 'manual', prepare });
  if (report.outcome !== 'busy') return report;
  await mark();
  // Its own schedule may be a nightly one.
  await requestSweep(state);
  emit({
    type: 'warning',
    message: 'The records are marked; the process that holds the leases reads and sends them.',
  });
  return { ...report, exitCode: 0 };
}
