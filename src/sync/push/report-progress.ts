import type { Area, EntityName } from '../../domain/names.js';
import type { Emit } from '../../domain/events.js';
import type { PushCounters } from '../../domain/outcome.js';
import { sentOf } from '../../domain/push-counters.js';
import type { Clock } from '../../ports/clock.js';

/** Time between two reports of one push, milliseconds. */
const EVERY_MS = 5 * 60_000;

/**
 * Passes all events on, and reports every few minutes what the push that begins now has sent so far: a first load takes
 * hours. `counters`: of that push.
 */
export function reportProgress(
  { emit, clock }: { readonly emit: Emit; readonly clock: Pick<Clock, 'monotonic'> },
  area: Area,
  counters: ReadonlyMap<EntityName, PushCounters>,
): Emit {
  let reportedAt = clock.monotonic();
  return (event) => {
    emit(event);
    if (event.type !== 'record-sent' || clock.monotonic() - reportedAt < EVERY_MS) return;
    reportedAt = clock.monotonic();
    emit({ type: 'push-progress', area, entities: sentOf(counters, [...counters.keys()]) });
  };
}
