import { platformDay } from '../../contract/time.js';
import { AREAS, type EntityName } from '../../domain/names.js';
import type { ReadBackRecord } from '../../ports/read-backs.js';
import type { RunContext } from '../run-context.js';
import { createFindLane } from './find-records.js';
import { allRecords } from './record-pages.js';
import type { Unequal } from './repair-records.js';
import { verifyEntity } from './verify-entity.js';

/**
 * How many records still differ after they were sent again, of those that differ only in fields which their bodies leave
 * out: a platform that merges what it gets keeps such fields.
 */
export async function countStillHeld(context: RunContext, repaired: readonly Unequal[]): Promise<number> {
  const { state, settings, entities, clock, readBackRateLimit } = context;
  const { timeZone } = settings.platform;
  let count = 0;
  for (const area of AREAS) {
    const areaSettings = settings.areas[area];
    const ofArea = repaired.flatMap(({ entity: name, leftOver }) => {
      const entity = entities.find((each) => each.name === name);
      return entity?.area === area && entity.readBack !== null && leftOver.size > 0
        ? [{ entity, readBack: entity.readBack, leftOver }]
        : [];
    });
    if (areaSettings === undefined || ofArea.length === 0) continue;
    const quiet = { ...context, emit: () => undefined };
    const lane = createFindLane(quiet, area, readBackRateLimit(area), areaSettings.concurrency);
    for (const { entity, readBack, leftOver } of ofArea) {
      const different: ReadBackRecord[] = [];
      await verifyEntity({
        entity,
        readBack,
        records: chosen(context, entity.name, leftOver),
        lane,
        readBacks: state.readBacks,
        emit: quiet.emit,
        compare: { today: platformDay(clock.now(), timeZone), timeZone },
        counters: { checked: 0, same: 0, drifted: 0, missing: 0 },
        onFound: () => undefined,
        onUnequal: (record) => {
          count += 1;
          different.push(record);
        },
        onUnanswered: () => (count += 1),
      });
      await state.readBacks.noteDrift(entity.name, { different, equal: [] });
    }
  }
  return count;
}

async function* chosen(
  { state }: RunContext,
  entity: EntityName,
  keys: ReadonlySet<string>,
): AsyncGenerator<ReadBackRecord> {
  for await (const record of allRecords(state.readBacks, entity, 'settled'))
    if (keys.has(record.key)) yield record;
}
