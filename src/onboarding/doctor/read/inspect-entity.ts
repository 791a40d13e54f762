import type { Catalog } from '../../catalog/catalog.js';
import { type ReadOnly, type ReadOnlyOptions, withReadOnly } from '../../catalog/with-read-only.js';
import type { DoctorPorts, DoctorSettings, EntityInspection, ResultColumn } from '../facts.js';
import { type DoctorEntity, type Fact, unread } from '../finding.js';
import { queryShape } from '../sql/query-shape.js';
import { type InspectContext, setParameter } from './inspect-context.js';
import { readFlags } from './read-flags.js';
import { readLosses } from './read-losses.js';
import { readPlan, readStable } from './read-plan.js';
import { readDay, readZones } from './read-zones.js';

interface InspectOptions extends ReadOnlyOptions, Pick<DoctorPorts, 'prepareQuery'> {
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
      const { sessionTimeZone } = settings.source;
      if (sessionTimeZone !== null) await setParameter(read, 'timezone', sessionTimeZone);
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
    return unreadInspection(entity, unread((error as Error).message));
  }
}

/** A reader throws what ends its own fact; a lost connection ends all of the following, each with the same cause. */
async function learn<T>(reader: () => Promise<T>): Promise<Fact<T>> {
  try {
    return { value: await reader() };
  } catch (error) {
    return unread((error as Error).message);
  }
}

/** Names and types of what the query returns. Errors: those of pg. */
async function readResultColumns(read: ReadOnly, from: string): Promise<readonly ResultColumn[]> {
  const fields = await read.describe(`select * from ${from} limit 0`);
  const rows = await read.run<{ oid: string; type: string }>(
    `select cast(t.oid as pg_catalog.text) as oid, pg_catalog.format_type(t.oid, null) as type
     from pg_catalog.pg_type t where t.oid operator(pg_catalog.=) any (cast($1 as pg_catalog.oid[]))`,
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  );
  const types = new Map(rows.map(({ oid, type }) => [Number(oid), type]));
  return fields.map(({ name, dataTypeID }) => ({ name, type: types.get(dataTypeID) ?? 'unknown' }));
}

/** What is known of a query that was not read: its text, and for everything else the cause, if there is one. */
export function unreadInspection(entity: DoctorEntity, source: Fact<unknown>): EntityInspection {
  const fact = 'cause' in source ? source : unread('it was not read');
  return {
    entity,
    shape: queryShape(entity.query.sql),
    columns: fact,
    plan: fact,
    flags: fact,
    losses: fact,
    day: fact,
    zones: fact,
    stable: fact,
  };
}
