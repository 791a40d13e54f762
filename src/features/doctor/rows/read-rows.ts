import { SyncError } from '../../../core/domain/errors.js';
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
 * Runs the entity's query once and hands each row to the entity's own map. A query that takes too long is read in part.
 * Rejects only when the signal aborts.
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
  try {
    const whole = await againAfterConflict(() => pass(entity, entity.query, 'all', reading));
    return whole.read > 0 || whole.extent === 'all' ? finished(whole) : await ofSample(entity, reading);
  } catch (error) {
    if (!(error instanceof SyncError) || reading.signal.aborted) throw error;
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
      isInInbox: found !== null && 'value' in found ? found.value.get(key) !== null : null,
    });
  }
}

async function ofSample(entity: DoctorEntity, reading: RowReading): Promise<RowResult> {
  const { query } = entity;
  const sql = `select q.* from ${inParentheses(prepareQuery(query))} limit ${SAMPLE_ROWS}`;
  const sample = { ...query, sql };
  const tally = await pass(entity, sample, 'sample', reading);
  if (tally.read > 0 || tally.extent === 'sample') return finished(tally);
  return failed(
    `even ${SAMPLE_ROWS} rows took longer than ${Math.round(reading.passMs / 1000)} s`,
    'Look with EXPLAIN in psql which table the query reads again and again.',
  );
}

/** Rows of a sample, where the whole query takes too long. */
const SAMPLE_ROWS = 1_000;

function finished(tally: RowTally): RowResult {
  return { facts: { value: tally.facts() }, index: tally.index };
}

function failed(cause: string, hint?: string): RowResult {
  return { facts: unread(cause, hint), index: null };
}
