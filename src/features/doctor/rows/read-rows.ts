import { SyncError } from '../../../core/domain/errors.js';
import { platformId } from '../../../core/domain/key.js';
import { convertLarge } from '../../../core/entities/plain-text.js';
import {
  againAfterConflict,
  type EntityQuery,
  type SourceReader,
  type SourceRow,
} from '../../../core/ports/source.js';
import { inParentheses, prepareQuery } from '../../../core/source/query.js';
import type { DoctorPorts } from '../facts.js';
import { type DoctorEntity, type Fact, unread } from '../finding.js';
import type { ParentIndex } from './parent-index.js';
import { type RowFacts, RowTally } from './row-tally.js';

export interface RowReading extends Pick<DoctorPorts, 'source' | 'findApplications' | 'signal'> {
  /** Longest time of one reading, milliseconds. */
  readonly passMs: number;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
  /** The parents of the records; null: it has none, or they are not configured. */
  readonly parents: ParentIndex | null;
}

/** What the rows of an entity show, and its records for its children. */
export interface RowResult {
  readonly facts: Fact<RowFacts>;
  readonly index: ParentIndex | null;
}

/**
 * Runs the entity's query once and hands each row to the entity's own map. A query that takes too long is read in part; a
 * query with rows that have no key is read without them. Rejects only when the signal aborts.
 */
export async function readRows(entity: DoctorEntity, reading: RowReading): Promise<RowResult> {
  try {
    return await readAsFarAsPossible(entity, reading);
  } catch (error) {
    if (reading.signal.aborted) throw error;
    // A defect's own message may hold anything.
    if (!(error instanceof SyncError)) return failed(`${(error as Error).name} while the rows were read`);
    return failed(error.message, error.hint);
  }
}

async function readAsFarAsPossible(entity: DoctorEntity, reading: RowReading): Promise<RowResult> {
  const { query } = entity;
  try {
    const whole = await againAfterConflict(() => pass(entity, query, 'all', reading));
    return whole.read > 0 || whole.extent === 'all' ? finished(whole, 0) : await ofSample(entity, reading);
  } catch (error) {
    if (!(error instanceof SyncError) || reading.signal.aborted) throw error;
    if (error.code === 'null-key') return await withoutNullKeys(entity, reading);
    if (error.details.sqlstate === QUERY_CANCELED) return await ofSample(entity, reading);
    throw error;
  }
}

/** SQLSTATE of a statement that took too long. */
const QUERY_CANCELED = '57014';

/** One reading; ends without an error when its time is over. */
async function pass(
  entity: DoctorEntity,
  query: EntityQuery,
  extent: 'all' | 'sample',
  reading: RowReading,
): Promise<RowTally> {
  const { source, signal, passMs } = reading;
  const until = Date.now() + passMs;
  const over = AbortSignal.timeout(passMs);
  let tally = new RowTally(entity, [], reading.parents);
  const look = async (reader: SourceReader): Promise<void> => {
    tally = new RowTally(entity, reader.columns, reading.parents);
    for await (const page of reader.allRows()) {
      await seePage(tally, entity, page, reading);
      if (Date.now() > until) return tally.end('time');
    }
    tally.end(extent);
  };
  try {
    await source.read(query, look, AbortSignal.any([signal, over]));
  } catch (error) {
    // Not where a row was found that cannot be read, and the time was over meanwhile.
    const isOver = over.aborted && error instanceof SyncError && error.code === 'interrupted';
    if (signal.aborted || !isOver) throw error;
    tally.end('time');
  }
  return tally;
}

async function seePage(
  tally: RowTally,
  entity: DoctorEntity,
  page: readonly SourceRow[],
  { findApplications, today }: RowReading,
): Promise<void> {
  const found = entity.application ? await findApplications(entity, page) : null;
  if (found !== null && 'cause' in found) tally.noInbox = found.cause;
  const context = { ...entity.mapContext, today };
  await convertLarge(
    page.map(({ row }) => row),
    context,
  );
  for (const { key, row } of page) {
    tally.see({
      name: key,
      key,
      row,
      mapped: entity.map(row, context),
      platformId: found === null ? platformId(entity.name, key, entity.mapContext.namespace) : null,
      isInInbox: found !== null && 'value' in found ? found.value.get(key) !== null : null,
    });
  }
}

async function withoutNullKeys(entity: DoctorEntity, reading: RowReading): Promise<RowResult> {
  const { query } = entity;
  const count = await countNullKeys(query, reading);
  const keyed = wrapped(query, `where cast(q."key" as pg_catalog.text) <> ''`);
  return finished(await pass(entity, keyed, 'all', reading), count);
}

async function countNullKeys(query: EntityQuery, { source, signal }: RowReading): Promise<number> {
  try {
    await source.read(query, (reader) => reader.digest(), signal);
    return 0;
  } catch (error) {
    if (error instanceof SyncError && error.code === 'null-key') return Number(error.details.count ?? 1);
    throw error;
  }
}

async function ofSample(entity: DoctorEntity, reading: RowReading): Promise<RowResult> {
  const sample = wrapped(entity.query, `limit ${SAMPLE_ROWS}`);
  const tally = await pass(entity, sample, 'sample', reading);
  if (tally.read > 0 || tally.extent === 'sample') return finished(tally, 0);
  return failed(
    `even ${SAMPLE_ROWS} rows took longer than ${Math.round(reading.passMs / 1000)} s`,
    'Look with EXPLAIN in psql which table the query reads again and again.',
  );
}

/** Rows of a sample, where the whole query takes too long. */
const SAMPLE_ROWS = 1_000;

/** The partner's query as a part of another one. */
function wrapped(query: EntityQuery, rest: string): EntityQuery {
  return { ...query, sql: `select q.* from ${inParentheses(prepareQuery(query))} ${rest}` };
}

function finished(tally: RowTally, withoutKey: number): RowResult {
  return { facts: { value: tally.facts(withoutKey) }, index: tally.index };
}

function failed(cause: string, hint?: string): RowResult {
  return { facts: unread(cause, hint), index: null };
}
