import type { EntityName } from '../entity-name.js';
import type { PushCounters } from '../outcome.js';

/** What a push sent, by entity; without the entities of which it sent nothing. Pure. */
export function sentOf(
  counters: ReadonlyMap<EntityName, PushCounters>,
  among: readonly EntityName[],
): Readonly<Record<EntityName, PushCounters>> {
  return Object.fromEntries(
    among.flatMap((name) => {
      const counted = counters.get(name);
      if (!counted || counted.sent === 0) return [];
      const { sent, accepted, rejected, deferred } = counted;
      return [[name, { sent, accepted, rejected, deferred }]];
    }),
  );
}
