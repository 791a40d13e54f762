import type { State } from '../../ports/state.js';
import type { EntityPlan } from '../../sync/entity-plan.js';
import { readStatus } from '../../sync/read-status.js';
import { createMetrics, type Metrics } from '../../telemetry/create-metrics.js';
import { VERSION } from './package-info.js';
import { systemClock } from './system-clock.js';

/** Metrics of a worker, made before its state is open so that they hear every event. */
export function createWorkerMetrics(plans: readonly EntityPlan[]): Metrics & { use(state: State): void } {
  let opened: State | null = null;
  const names = plans.map(({ entity }) => entity.name);
  const metrics = createMetrics({
    version: VERSION,
    now: () => systemClock.now(),
    read: async () => (opened === null ? {} : (await readStatus(opened, names)).entities),
  });
  return {
    ...metrics,
    use(state) {
      opened = state;
    },
  };
}
