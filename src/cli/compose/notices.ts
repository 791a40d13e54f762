import type { LoadedConfig } from '../../config/load.js';
import type { Emit } from '../../domain/events.js';
import { AREAS } from '../../domain/names.js';
import type { Notifier } from '../../ports/platform.js';
import { isLoopback } from '../../runtime/loopback.js';
import { createWakeableSleep } from '../../runtime/time.js';
import { noticeLoop } from '../../service/notice-loop.js';
import { createNotices, notifyOnce } from '../../sync/notices.js';
import type { RunContext } from '../../sync/run-context.js';
import { type AreaWatch, createAreaWatch } from '../../sync/troubles.js';
import { createMailNotifier } from '../../telemetry/mail-notice.js';
import { createPostNotifier } from '../../telemetry/post-notice.js';
import { configuredEntities } from './configured-entities.js';
import { systemClock, VERSION } from './package-info.js';

interface PreparedNotices {
  /** Watches every event and passes it on. */
  readonly emit: Emit;
  /** What the events say about the areas. */
  readonly watch: AreaWatch;
  /** Sends notices once, within some seconds. For a run that has ended. Never rejects. */
  notifyOnce(context: RunContext): Promise<void>;
  /** Sends notices until the signal aborts. For the process that holds the leases. Never rejects. */
  notifyBeside(context: RunContext, signal: AbortSignal): Promise<void>;
}

/** The configured notices, made before the state is open so that they see every event. `log` gets the events. */
export function prepareNotices(config: LoadedConfig, log: Emit): PreparedNotices {
  const notifiers = openNotifiers(config);
  const { on, staleAfterMs } = config.settings.notify;
  const watch = createAreaWatch(systemClock);
  /** Between two looks for troubles. Events before the first one count too. */
  const betweenLooks = createWakeableSleep(systemClock, new AbortController().signal);
  const open = ({ state, settings, clock, newId, holder }: RunContext) =>
    createNotices({
      state,
      notifiers,
      watch,
      entities: configuredEntities(config),
      areas: AREAS.filter((area) => settings.areas[area]),
      on,
      staleAfterMs,
      worker: holder,
      clock,
      emit: log,
      newId,
    });
  return {
    watch,
    emit(event) {
      log(event);
      if (watch.note(event) || event.type === 'entity-held') betweenLooks.wake();
    },
    async notifyOnce(context) {
      const { clock, signal } = context;
      if (notifiers.length > 0) await notifyOnce(open(context), clock, signal);
    },
    async notifyBeside(context, signal) {
      if (notifiers.length > 0) await noticeLoop(open(context), betweenLooks, context.clock, signal);
    },
  };
}

/** The configured ways of notifying; empty: no notices. */
export function openNotifiers({ settings: { notify } }: LoadedConfig): Notifier[] {
  const { url, secret, smtp } = notify;
  return [
    ...(url === null
      ? []
      : [createPostNotifier({ url, secret, version: VERSION, now: () => systemClock.now() })]),
    ...(smtp === null ? [] : [createMailNotifier({ ...smtp, isLoopback })]),
  ];
}
