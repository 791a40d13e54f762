import type { DayFacts, ResultColumn } from '../facts.js';
import { SAMPLES } from '../rows/counted.js';
import { attempted } from './attempted.js';
import type { InspectContext } from './inspect-context.js';

interface DayRow extends Record<string, unknown> {
  readonly count: string;
  readonly key: string | null;
  readonly session: string;
}

/**
 * Records whose last day is another one in the session's zone than in the platform's. Null: the entity has no last day,
 * the column is a date, or nobody has said in which zone it is.
 */
export async function readDay(
  { read, entity, from, settings }: InspectContext,
  columns: readonly ResultColumn[],
): Promise<DayFacts | null> {
  const column = columns.find(({ name }) => name === entity.lastDay);
  const { timeZone } = settings.source;
  if (column === undefined) return null;
  const zoned = column.type === 'timestamp with time zone';
  if (!zoned && (column.type !== 'timestamp without time zone' || timeZone === null)) return null;

  const value = `q."${column.name.replaceAll('"', '""')}"`;
  const moment = zoned ? value : `pg_catalog.timezone($2, ${value})`;
  const here = zoned ? `pg_catalog.timezone(pg_catalog.current_setting('TimeZone'), ${value})` : value;
  const key = columns.some(({ name }) => name === 'key') ? 'cast(q."key" as pg_catalog.text)' : 'null';
  const rows = await attempted<DayRow>(
    read,
    `select cast(pg_catalog.count(*) over () as pg_catalog.text) as count, ${key} as key,
       pg_catalog.current_setting('TimeZone') as session
     from ${from}
     where cast(${here} as pg_catalog.date) operator(pg_catalog.<>) cast(pg_catalog.timezone($1, ${moment}) as pg_catalog.date)
       and pg_catalog.isfinite(${value}) and (cast($2 as pg_catalog.text) is null or true)
     order by 2 limit ${SAMPLES}`,
    [settings.platformTimeZone, timeZone],
  );
  const [first] = rows;
  if (first === undefined) return null;
  return {
    column: column.name,
    count: Number(first.count),
    sample: rows.flatMap((row) => row.key ?? []),
    zones: [zoned ? first.session : (timeZone ?? ''), settings.platformTimeZone],
  };
}
