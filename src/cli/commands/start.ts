import { Command } from 'commander';
import { createAreaWatch } from '../../service/dashboard/area-watch.js';
import { runWorker } from '../../service/run-worker.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { entityPlans } from '../compose/entity-plans.js';
import { openListeners } from '../compose/open-listeners.js';
import { runSettings } from '../compose/run-settings.js';
import { withSession } from '../compose/session.js';
import { createWorkerMetrics } from '../compose/worker-metrics.js';

/** The long-running worker: sweeps on schedule, sends beside it, receives applications. */
export function startCommand(action: CommandAction): Command {
  return new Command('start')
    .description('the long-running worker: sweeps on schedule, sends beside it, receives applications')
    .addHelpText(
      'after',
      '\nExample: placement-sync start --config my.yaml\nOne SIGTERM ends it: what is under way is finished and written. A second one ends it at once.',
    )
    .option('--migrate', 'bring the state schema up to date first')
    .action(
      action(async ({ command, signal }) => {
        const { config, emit: log } = commandContext(command);
        const plans = entityPlans(config);
        const metrics = createWorkerMetrics(plans);
        const watch = createAreaWatch();
        const emit: typeof log = (event) => {
          metrics.emit(event);
          watch.emit(event);
          log(event);
        };
        const { migrate = false } = command.opts<{ migrate?: boolean }>();
        return withSession(config, { emit, signal, migrate }, async (dependencies) => {
          metrics.use(dependencies.state);
          const listeners = await openListeners(config, dependencies, metrics.render, watch);
          try {
            await runWorker(dependencies, plans, runSettings(config), config.settings.schedule);
          } finally {
            await listeners.close();
          }
          return 0;
        });
      }),
    );
}
