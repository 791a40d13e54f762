import type { RunContext } from '../../core/context.js';
import { scheduledVerify } from '../../features/verify/scheduled-verify.js';
import type { AppContext, State } from '../../features/create-state.js';
import type { LoadedConfig } from '../../core/config/load.js';
import type { Emit, SyncEvent } from '../../core/domain/events.js';
import { checkSchedule, longestGap, offsetOf, shortestGap } from '../../core/run/schedule.js';
import { runWorker, type WorkerSchedule } from '../../core/run/run-worker.js';
import { commandContext } from '../command-context.js';
import { findEnabled } from '../compose/open-doctor.js';
import { createWorkerMetrics, openListeners } from '../compose/open-listeners.js';
import { followLookups } from '../compose/follow-lookups.js';
import { prepareNotices } from '../compose/notices.js';
import { keepRetention } from '../../core/run/retention.js';
import { withRunContext } from '../compose/open-run.js';
import type { Handler } from '../common-options.js';

export const startCommand: Handler = ({ command, signal }) => {
  const { config, emit } = commandContext(command, { bar: false });
  const { migrate = false } = command.opts<{ migrate?: boolean }>();
  return startWorker(config, { emit, signal, migrate });
};

/** The worker, until the signal aborts. */
export async function startWorker(
  config: LoadedConfig,
  options: { readonly emit: Emit; readonly signal: AbortSignal; readonly migrate: boolean },
): Promise<number> {
  const { emit: log, signal, migrate } = options;
  checkSchedule(config.settings.schedule);
  const { schedule } = config.settings;
  const period = shortestGap(schedule.sync, schedule.timeZone);
  const metrics = createWorkerMetrics([...config.entities.keys()], period);
  const notices = prepareNotices(config, (event) => {
    metrics.emit(event);
    log(event);
  });
  const { emit } = notices;
  warnRareSweeps(config, emit);
  return withRunContext(config, { emit, signal, migrate }, async (opened) => {
    const context = { ...opened, presentEntities: followLookups(config, opened) };
    const listeners = await openListeners(config, context, metrics, notices.watch);
    const ended = new AbortController();
    const retention = keepRetention(context, AbortSignal.any([signal, ended.signal]));
    try {
      await runWorker(context, workerSchedule(config, context.state), (until) =>
        notices.notifyBeside(context, until),
      );
    } finally {
      ended.abort();
      await retention;
      await listeners.close();
    }
    emit(await stopped(context));
    return 0;
  });
}

/** Warns when the schedule's pause between sweeps is so long that entities are reported as stale with nothing wrong. */
function warnRareSweeps({ settings }: LoadedConfig, emit: Emit): void {
  const { url, smtp, on, staleAfterMs } = settings.notify;
  if ((url === null && smtp === null) || !on.includes('stale')) return;
  const gap = longestGap(settings.schedule.sync, settings.schedule.timeZone);
  if (gap < staleAfterMs) return;
  const minutes = Math.ceil(gap / 60_000);
  emit({
    type: 'warning',
    message: `notify.staleAfter is no longer than the longest time between two sweeps of schedule.sync (${minutes} min), so entities are reported as stale although nothing is wrong.`,
    hint: `Set notify.staleAfter to more than that, such as ${2 * minutes}m.`,
  });
}

function workerSchedule(config: LoadedConfig, state: State): WorkerSchedule {
  const { settings } = config;
  const { verify: expression, sync, timeZone } = settings.schedule;
  const offsetMs = offsetOf(settings, 'verify');
  const isReadable = findEnabled(config);
  const readBack = (context: RunContext) => scheduledVerify({ ...context, state }, isReadable);
  const verify = expression === null ? null : { expression, offsetMs, verify: readBack };
  return { sync, timeZone, offsetMs: offsetOf(settings, 'sync'), verify };
}

/** The worker's last event. Its number comes from the ledger, for a standby too. */
async function stopped({ state, entities, holder: own }: AppContext): Promise<SyncEvent> {
  const holders = await state.leases.holders().catch(() => []);
  const heldBy = holders.find(({ holder }) => holder !== own)?.holder ?? null;
  const counts = await Promise.all(entities.map(({ name }) => state.records.counts(name).catch(() => null)));
  const pending = counts.some((each) => each === null)
    ? null
    : counts.reduce((sum, each) => sum + (each?.pending ?? 0) + (each?.deferred ?? 0), 0);
  return { type: 'worker-stopped', pending, heldBy };
}
