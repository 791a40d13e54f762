import type { Catalog } from '../../catalog/catalog.js';
import { readCatalog } from '../../catalog/read-catalog.js';
import { type ReadOnly, type ReadOnlyOptions, withReadOnly } from '../../catalog/with-read-only.js';
import type { DoctorPorts, DoctorSettings, EntityInspection, ResultColumn, SourceFacts } from '../facts.js';
import { type DoctorEntity, type Learned, unknown } from '../finding.js';
import { queryShape } from '../sql/query-shape.js';
import type { InspectContext } from './inspect-context.js';
import { readLosses, readPlan, readStable } from './read-losses.js';
import { readDay, readFlags, readZones } from './read-zones.js';

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

/** What is known of a query that was not read: its text, and for everything else the cause, if there is one. Pure. */
export function unreadInspection(entity: DoctorEntity, source: Learned<unknown>): EntityInspection {
  const fact = 'cause' in source ? source : unknown('it was not read');
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

/** Tables that are named. */
const MOST = 5;

/**
 * Server, role and tables of the source; no row is counted. Of a database with very many tables those that the queries
 * name are among them. Errors: SyncError `source-unavailable`; those of pg.
 */
export async function readSource(
  options: ReadOnlyOptions,
  now: () => number,
  queries: readonly string[] = [],
): Promise<SourceFacts> {
  return withReadOnly(options, async (read) => {
    const text = queries.join('\n').toLowerCase();
    const catalog = await readCatalog(read, {
      counted: false,
      isNamed: ({ name }) => text.includes(name.toLowerCase()),
    });
    return {
      ...catalog,
      clockAheadMs: await readClock(read, now),
      cancelsReads: catalog.server.replica && (await readCancelling(read)),
      writable: await readWritable(read),
    };
  });
}

/** How far the server's clock is ahead, to the length of a round trip. */
async function readClock(read: ReadOnly, now: () => number): Promise<number> {
  const before = now();
  const [row] = await read.run<{ ms: string }>(
    `select cast(extract(epoch from pg_catalog.clock_timestamp()) operator(pg_catalog.*) 1000 as pg_catalog.text) as ms`,
  );
  return Math.round(Number(row?.ms) - (before + now()) / 2);
}

/** Whether a replica ends reads that are in the way of what it has to replay. */
async function readCancelling(read: ReadOnly): Promise<boolean> {
  const [row] = await read.run<{ feedback: string; delay: string }>(
    `select pg_catalog.current_setting('hot_standby_feedback') as feedback,
       pg_catalog.current_setting('max_standby_streaming_delay') as delay`,
  );
  return row?.feedback !== 'on' && row?.delay !== '-1';
}

/** The first tables that the role may change, beside those of a ledger. */
async function readWritable(read: ReadOnly): Promise<readonly string[]> {
  const rows = await read.run<{ name: string }>(
    `select pg_catalog.concat(n.nspname, '.', c.relname) as name
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and pg_catalog.has_schema_privilege(n.oid, 'usage')
       and pg_catalog.has_table_privilege(c.oid, 'insert, update, delete, truncate')
       and not exists (select 1 from pg_catalog.pg_class own
         where own.relnamespace = n.oid and own.relname = 'sync_state')
     order by 1 limit $1`,
    [MOST],
  );
  return rows.map(({ name }) => name);
}
