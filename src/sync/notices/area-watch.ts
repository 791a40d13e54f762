import type { Area } from '../../domain/area.js';
import type { SyncEvent } from '../../domain/events.js';
import type { AreaEvidence } from '../../domain/notice/find-troubles.js';

export interface AreaWatch {
  /** Takes an event in; true when it changed what is known of an area. */
  note(event: SyncEvent): boolean;
  evidence(): AreaEvidence;
}

/**
 * What the replies said of our authentication since the process began. A stop for another reason says nothing of it;
 * a verdict on a record, also a refusal, says that we were let in.
 */
export function createAreaWatch(): AreaWatch {
  const known = new Map<Area, { readonly refused: { readonly cause: string } | null }>();
  const learn = (area: Area, refused: { readonly cause: string } | null) => {
    const before = known.get(area);
    if (before && (before.refused === null) === (refused === null)) return false;
    known.set(area, { refused });
    return true;
  };
  return {
    note(event) {
      if (event.type === 'area-stopped' && event.code === 'authentication-refused')
        return learn(event.area, { cause: event.hint });
      if (event.type !== 'record-sent') return false;
      return event.outcome === 'accepted' || event.outcome === 'refused' ? learn(event.area, null) : false;
    },
    evidence: () => known,
  };
}
