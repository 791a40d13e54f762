import { Command } from 'commander';
import type { LoadedConfig } from '../../config/load.js';
import type { SyncEvent } from '../../domain/events.js';
import { createAreaWatch } from '../../dashboard/area-watch.js';
import { checkSchedule } from '../../service/check-schedule.js';
import { runWorker, type WorkerSchedule } from '../../service/run-worker.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { findEnabled } from '../compose/find-enabled.js';
import { openListeners } from '../compose/open-listeners.js';
import { prepareNotices } from '../compose/prepare-notices.js';
import type { RunContext } from '../../sync/run-context.js';
import { withSession } from '../compose/session.js';
import { systemClock } from '../compose/system-clock.js';
import { warnRareSweeps } from '../compose/warn-rare-sweeps.js';
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
        const { config, emit: log } = commandContext(command, { bar: false });
        checkSchedule(config.settings.schedule);
        const metrics = createWorkerMetrics([...config.entities.keys()]);
        const watch = createAreaWatch(systemClock);
        const notices = prepareNotices(config, (event) => {
          metrics.emit(event);
          watch.emit(event);
          log(event);
        });
        const { emit } = notices;
        warnRareSweeps(config, emit);
        const { migrate = false } = command.opts<{ migrate?: boolean }>();
        return withSession(config, { emit, signal, migrate }, async (context) => {
          const listeners = await openListeners(config, context, metrics, watch);
          try {
            await runWorker(context, workerSchedule(config), (ended) => notices.tellBeside(context, ended));
          } finally {
            await listeners.close();
          }
          emit(await stopped(context));
          return 0;
        });
      }),
    );
}

function workerSchedule(config: LoadedConfig): WorkerSchedule {
  const { verify, ...schedule } = config.settings.schedule;
  const reading = verify === null ? null : { expression: verify, isReadable: findEnabled(config) };
  return { ...schedule, verify: reading };
}

/** What a worker says last. Standing by or at work, the numbers are those of the ledger. */
async function stopped({ state, entities }: RunContext): Promise<SyncEvent> {
  const counts = await Promise.all(entities.map(({ name }) => state.records.counts(name).catch(() => null)));
  const pending = counts.some((each) => each === null)
    ? null
    : counts.reduce((sum, each) => sum + (each?.pending ?? 0) + (each?.deferred ?? 0), 0);
  return { type: 'worker-stopped', pending };
}
