import type { AppContext } from '../../features/create-state.js';
import type { LoadedConfig } from '../../core/config/load.js';
import type { Emit, SyncEvent } from '../../core/domain/events.js';
import { AREAS } from '../../core/domain/names.js';
import type { Notifier } from '../../features/notices/notifier.js';
import { isLoopback } from '../../core/runtime/loopback.js';
import { createWakeableSleep } from '../../core/runtime/time.js';
import { noticeLoop } from '../../features/notices/notice-loop.js';
import { createNotices, notifyOnce } from '../../features/notices/send-notices.js';
import { createAreaWatch } from '../../features/notices/area-watch.js';
import { createMailNotifier } from '../../features/notices/mail-notice.js';
import { createPostNotifier } from '../../features/notices/post-notice.js';
import { localTime } from '../../core/contract/time.js';
import { configuredEntities } from './configured-entities.js';
import { systemClock, VERSION } from './package-info.js';

/** The configured notices, made before the state is open so that they see every event. `log` gets the events. */
export function prepareNotices(config: LoadedConfig, log: Emit) {
  const notifiers = openNotifiers(config);
  const { on, staleAfterMs } = config.settings.notify;
  const watch = createAreaWatch(systemClock);
  /** Between two looks for troubles. Events before the first one count too. */
  const betweenLooks = createWakeableSleep(systemClock, new AbortController().signal);
  const open = ({ state, settings, clock, newId, holder }: AppContext, byWorker: boolean) =>
    createNotices({
      state,
      notifiers,
      watch,
      entities: configuredEntities(config),
      areas: AREAS.filter((area) => settings.areas[area]),
      on,
      staleAfterMs,
      worker: holder,
      byWorker,
      when: (at) => `at ${localTime(at, settings.platform.timeZone)}`,
      clock,
      emit: log,
      newId,
    });
  return {
    /** What the events say about the areas. */
    watch,
    /** Watches every event and passes it on. */
    emit(event: SyncEvent): void {
      log(event);
      if (watch.note(event) || event.type === 'entity-held') betweenLooks.wake();
    },
    /** Sends notices once, within some seconds. For a run that has ended. Never rejects. */
    async notifyOnce(context: AppContext): Promise<void> {
      const { clock, signal } = context;
      if (notifiers.length > 0) await notifyOnce(open(context, false), clock, signal);
    },
    /** Sends notices until the signal aborts. For the process that holds the leases. Never rejects. */
    async notifyBeside(context: AppContext, signal: AbortSignal): Promise<void> {
      if (notifiers.length > 0) await noticeLoop(open(context, true), betweenLooks, context.clock, signal);
    },
  };
}

/** The configured ways of notifying; empty: no notices. */
export function openNotifiers({ settings: { notify }, reach }: LoadedConfig): Notifier[] {
  const { url, secret, smtp } = notify;
  const lookup = reach?.lookup;
  const signing = { secret, version: VERSION, now: () => systemClock.now(), lookup };
  return [
    ...(url === null ? [] : [createPostNotifier({ url, ...signing })]),
    ...(smtp === null ? [] : [createMailNotifier({ ...smtp, isLoopback, lookup })]),
  ];
}
