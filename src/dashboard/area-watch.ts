import type { Area } from '../domain/area.js';
import type { ErrorCode } from '../domain/errors.js';
import type { Emit, SyncEvent } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';

/** Why nothing is sent to an area now. */
export interface StoppedArea {
  readonly area: Area;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** When it is tried again by itself; null: that is not known yet. */
  readonly retryAt: Date | null;
}

/** Remembers which areas this process has stopped sending to: the state database does not know why. */
export interface AreaWatch {
  /** Listens to the event union. */
  readonly emit: Emit;
  stopped(): readonly StoppedArea[];
}

export function createAreaWatch(clock: Pick<Clock, 'now'>): AreaWatch {
  const areas = new Map<Area, StoppedArea>();
  return {
    emit(event: SyncEvent) {
      if (event.type === 'area-stopped') {
        const { area, code, message, hint } = event;
        areas.set(area, { area, code, message, hint, retryAt: null });
      } else if (event.type === 'area-retry') {
        const stopped = areas.get(event.area);
        const retryAt = new Date(clock.now() + event.delayMs);
        if (stopped) areas.set(event.area, { ...stopped, retryAt });
      } else if (event.type === 'record-sent' && ['accepted', 'refused'].includes(event.outcome)) {
        areas.delete(event.area);
        // From now on another process sends.
      } else if (event.type === 'worker-standby') areas.clear();
    },
    stopped: () => [...areas.values()],
  };
}
