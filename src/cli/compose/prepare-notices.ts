import type { LoadedConfig } from '../../config/load.js';
import { AREAS } from '../../domain/area.js';
import type { Emit } from '../../domain/events.js';
import { createNoticeBell, noticeLoop } from '../../service/notice-loop.js';
import { createNotices } from '../../sync/notices/create-notices.js';
import { notifyOnce } from '../../sync/notices/notify-once.js';
import { createAreaWatch, type AreaWatch } from '../../sync/troubles/area-watch.js';
import type { RunDependencies } from '../../sync/run-dependencies.js';
import { openNotifiers } from './open-notifiers.js';
import { runSettings } from './run-settings.js';
import { systemClock } from './system-clock.js';

export interface PreparedNotices {
  /** Hears every event and passes it on. */
  readonly emit: Emit;
  /** What was heard of the areas. */
  readonly watch: AreaWatch;
  /** Looks once, for some seconds at most. For a run that has ended. Never rejects. */
  notifyOnce(dependencies: RunDependencies): Promise<void>;
  /** Looks now and then until the signal aborts. For whoever holds the leases. Never rejects. */
  notifyBeside(dependencies: RunDependencies, signal: AbortSignal): Promise<void>;
}

/** Notices as configured, made before the state is open so that they hear every event. `log`: gets the events. */
export function prepareNotices(config: LoadedConfig, log: Emit): PreparedNotices {
  const notifiers = openNotifiers(config);
  const { on, staleAfterMs } = config.settings.notify;
  const watch = createAreaWatch(systemClock);
  const bell = createNoticeBell();
  const open = ({ state, clock, newId, holder }: RunDependencies) =>
    createNotices({
      state,
      notifiers,
      watch,
      entities: [...config.entities.keys()],
      areas: AREAS.filter((area) => runSettings(config).areas[area]),
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
      if (watch.note(event) || event.type === 'entity-held') bell.ring();
    },
    async notifyOnce(dependencies) {
      const { clock, signal } = dependencies;
      if (notifiers.length > 0) await notifyOnce(open(dependencies), clock, signal);
    },
    async notifyBeside(dependencies, signal) {
      if (notifiers.length > 0) await noticeLoop(open(dependencies), bell, dependencies.clock, signal);
    },
  };
}
