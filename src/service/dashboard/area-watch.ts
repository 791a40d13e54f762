import type { Area } from '../../domain/area.js';
import type { Emit, SyncEvent } from '../../domain/events.js';

/** Why nothing is sent to an area now. */
export interface StoppedArea {
  readonly area: Area;
  readonly message: string;
  readonly hint: string;
}

/** Remembers which areas this process has stopped sending to: the state database does not know why. */
export interface AreaWatch {
  /** Listens to the event union. */
  readonly emit: Emit;
  stopped(): readonly StoppedArea[];
}

export function createAreaWatch(): AreaWatch {
  const areas = new Map<Area, StoppedArea>();
  return {
    emit(event: SyncEvent) {
      if (event.type === 'area-stopped') {
        const { area, message, hint } = event;
        areas.set(area, { area, message, hint });
      } else if (event.type === 'record-sent' && ['accepted', 'refused'].includes(event.outcome)) {
        areas.delete(event.area);
        // From now on another process sends.
      } else if (event.type === 'worker-standby') areas.clear();
    },
    stopped: () => [...areas.values()],
  };
}
