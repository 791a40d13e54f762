import { untilFirstAbort } from '../../runtime/until-first-abort.js';
import type { LoadedConfig } from '../../config/load.js';
import { AREAS } from '../../domain/area.js';
import type { Emit } from '../../domain/events.js';
import { createNoticeBell, noticeLoop } from '../../service/notice-loop.js';
import { createAreaWatch } from '../../sync/notices/area-watch.js';
import { createNotices } from '../../sync/notices/create-notices.js';
import type { RunContext } from '../../sync/run-context.js';
import { openNotifiers } from './open-notifiers.js';

/** Longest that a run is held up at its end by what it has to tell, milliseconds. */
const LONGEST_MS = 8_000;

export interface PreparedNotices {
  /** Hears every event and passes it on. */
  readonly emit: Emit;
  /** Looks once, for some seconds at most. For a run that has ended. Never rejects. */
  tellOnce(context: RunContext): Promise<void>;
  /** Looks now and then until the signal aborts. For whoever holds the leases. Never rejects. */
  tellBeside(context: RunContext, signal: AbortSignal): Promise<void>;
}

/** Notices as configured, made before the state is open so that they hear every event. `log`: gets the events. */
export function prepareNotices(config: LoadedConfig, log: Emit): PreparedNotices {
  const notifiers = openNotifiers(config);
  const { on, staleAfterMs } = config.settings.notify;
  const watch = createAreaWatch();
  const bell = createNoticeBell();
  const open = ({ state, settings, clock, newId, holder }: RunContext) =>
    createNotices({
      state,
      notifiers,
      watch,
      entities: [...config.entities.keys()],
      areas: AREAS.filter((area) => settings.areas[area]),
      on,
      staleAfterMs,
      worker: holder,
      clock,
      emit: log,
      newId,
    });
  return {
    emit(event) {
      log(event);
      if (watch.note(event) || event.type === 'entity-held') bell.ring();
    },
    async tellOnce(context) {
      const { clock, signal } = context;
      if (notifiers.length === 0 || signal.aborted) return;
      const over = new AbortController();
      await untilFirstAbort([signal, over.signal], async (limited) => {
        const late = clock.sleep(LONGEST_MS, limited);
        const looking = open(context).look(limited, signal);
        await Promise.race([looking, late]);
        over.abort();
        // What was cut off is noted, unless the state database gives no answer.
        await Promise.race([looking, clock.sleep(1_000)]);
      });
    },
    async tellBeside(context, signal) {
      if (notifiers.length > 0) await noticeLoop(open(context), bell, context.clock, signal);
    },
  };
}
