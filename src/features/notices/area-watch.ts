import type { SyncEvent } from '../../core/domain/events.js';
import type { Area } from '../../core/domain/names.js';
import type { AreaFacts } from '../../core/domain/trouble/trouble.js';
import type { Clock } from '../../core/ports/clock.js';

/** What this process knows from the replies of the areas; the state database does not have it. */
export type AreaWatch = ReturnType<typeof createAreaWatch>;

/**
 * A stop for another reason says nothing about our credentials. A verdict on a record, also a rejection, shows that the
 * credentials are accepted and the area is not stopped. A standby knows nothing: another process sends then.
 */
export function createAreaWatch(clock: Pick<Clock, 'now'>) {
  const areas = new Map<Area, AreaFacts>();
  return {
    /** Notes an event; true when it changed what is known about our credentials. */
    note(event: SyncEvent): boolean {
      if (event.type === 'worker-standby') {
        areas.clear();
        return false;
      }
      if (event.type === 'area-retry') {
        const known = areas.get(event.area);
        const retryAt = new Date(clock.now() + event.delayMs);
        if (known?.stop) areas.set(event.area, { ...known, stop: { ...known.stop, retryAt } });
        return false;
      }
      if (event.type === 'area-stopped') {
        const { area, code, message, hint, delayMs, failingMs = 0, cause = null } = event;
        const before = areas.get(area);
        const since = before?.stop?.since ?? new Date(clock.now() - failingMs);
        const pausedUntil = delayMs === undefined ? null : new Date(clock.now() + delayMs);
        const stop = { code, message, hint, cause, retryAt: null, since, pausedUntil };
        if (code !== 'authentication-refused') {
          areas.set(area, { area, credentials: 'unknown', refusedCause: null, ...before, stop });
          return false;
        }
        areas.set(area, { area, stop, credentials: 'refused', refusedCause: { hint, cause } });
        return before?.credentials !== 'refused';
      }
      if (event.type !== 'record-sent' || !['accepted', 'refused'].includes(event.outcome)) return false;
      const before = areas.get(event.area);
      areas.set(event.area, { area: event.area, stop: null, credentials: 'accepted', refusedCause: null });
      return before?.credentials !== 'accepted';
    },
    /** Areas that have replied. */
    known: (): readonly AreaFacts[] => [...areas.values()],
  };
}
