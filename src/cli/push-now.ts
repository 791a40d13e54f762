import type { LoadedConfig } from '../config/load.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import type { RunDependencies } from '../sync/run-dependencies.js';
import { runSync } from '../sync/run/run-sync.js';
import { runSettings } from './compose/run-settings.js';
import { printRun } from './output/print-run.js';
import { tell } from './output/write.js';

/** Sends what is pending, unless another process is sending already; gives the exit code. */
export async function pushNow(
  config: LoadedConfig,
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
): Promise<number> {
  const report = await runSync(dependencies, plans, runSettings(config), {
    trigger: 'manual',
    pushOnly: true,
  });
  if (report.outcome === 'busy') {
    tell('Another run is under way; it sends them.');
    return 0;
  }
  await printRun(dependencies.state, report, false);
  return report.exitCode;
}
