import type { Catalog } from '../../catalog/catalog.js';
import { withReadOnly, type ReadOnly, type ReadOnlyOptions } from '../../catalog/with-read-only.js';
import type { DoctorEntity } from '../doctor-entity.js';
import type { DoctorPorts } from '../doctor-ports.js';
import type { DoctorSettings, EntityInspection } from '../facts.js';
import { unknown, type Learned } from '../learned.js';
import { queryShape } from '../sql/query-shape.js';
import type { InspectContext } from './inspect-context.js';
import { readDay } from './read-day.js';
import { readFlags } from './read-flags.js';
import { readLosses } from './read-losses.js';
import { readPlan } from './read-plan.js';
import { readResultColumns } from './read-result-columns.js';
import { readStable } from './read-stable.js';
import { readZones } from './read-zones.js';
import { unreadInspection } from './unread-inspection.js';

export interface InspectOptions extends ReadOnlyOptions, Pick<DoctorPorts, 'prepareQuery'> {
  readonly catalog: Catalog;
  readonly settings: DoctorSettings;
}

/**
 * Everything about an entity's query but its rows, in one read-only transaction. What cannot be read does not end the
 * rest; a query that Postgres does not accept makes everything unknown.
 */
export async function inspectEntity(
  entity: DoctorEntity,
  options: InspectOptions,
): Promise<EntityInspection> {
  const { prepareQuery, catalog, settings, signal } = options;
  const shape = queryShape(entity.query.sql);
  try {
    const from = `(\n${prepareQuery(entity.query)}\n) as q`;
    return await withReadOnly({ ...options, searchPath: 'ofRole' }, async (read) => {
      await setZone(read, settings.source.sessionTimeZone);
      const columns = await readResultColumns(read, from);
      const context: InspectContext = { read, entity, shape, from, catalog, settings };
      return {
        entity,
        shape,
        columns: { value: columns },
        plan: await learn(() => readPlan(context)),
        flags: await learn(() => readFlags(context)),
        losses: await learn(() => readLosses(context)),
        day: await learn(() => readDay(context, columns)),
        zones: await learn(() => readZones(context, columns)),
        stable: await learn(() => readStable(context)),
      };
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return unreadInspection(entity, unknown((error as Error).message));
  }
}

async function setZone(read: ReadOnly, zone: string | null): Promise<void> {
  if (zone !== null) await read.run(`select pg_catalog.set_config('timezone', $1, true)`, [zone]);
}

/** A reader throws what ends its own fact; a lost connection ends all of the following, each with the same cause. */
async function learn<T>(reader: () => Promise<T>): Promise<Learned<T>> {
  try {
    return { value: await reader() };
  } catch (error) {
    return unknown((error as Error).message);
  }
}
