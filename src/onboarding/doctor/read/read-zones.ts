import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import type { DayFacts, FlagColumn, ResultColumn, ZoneFacts } from '../facts.js';
import { SAMPLES } from '../rows/tallies.js';
import { looksLikeFlag, mentions } from '../sql/conditions.js';
import { type NamedTable, queryShape, type QueryShape, type SelectShape } from '../sql/query-shape.js';
import { attempted, type InspectContext } from './inspect-context.js';

/** 26 hours apart: whatever depends on the session's zone differs between them at any time of the day. */
const FAR_APART = ['Etc/GMT+12', 'Etc/GMT-14'] as const;
/** The zones that the session has in practice. */
const USUAL = ['UTC', 'Asia/Jakarta'] as const;
/** Rows that are compared one by one. */
const MOST_ROWS = 20_000;
/** The text of these depends on the zone, and what they mean does not. */
const MOMENT = 'timestamp with time zone';
const NOT_CONTENT = ['row_version'];

/**
 * Which columns and how many rows of the query depend on the session's time zone, such as `to_timestamp(x)::date` and
 * conditions with `current_date`. Two passes of the query where nothing does, else two more. Leaves the session in its own
 * zone. Null: nothing does.
 */
export async function readZones(
  context: InspectContext,
  columns: readonly ResultColumn[],
): Promise<ZoneFacts | null> {
  const { read } = context;
  const [before] = await read.run<{ zone: string }>(`select pg_catalog.current_setting('TimeZone') as zone`);
  const content = columns.filter(({ name }) => !NOT_CONTENT.includes(name));
  try {
    const [west, east] = await inZones(context, FAR_APART, () => digests(context, content));
    if (west === undefined || east === undefined) return null;
    const differing = content.filter((_, at) => west[at] !== east[at]).map(({ name }) => name);
    const isSelective = west.at(-1) !== east.at(-1);
    if (differing.length === 0 && !isSelective) return null;
    // A row that is not there in one zone makes every column differ.
    const named = isSelective ? [] : differing;
    return { columns: named, isSelective, zones: USUAL, ...(await countRows(context, content)) };
  } finally {
    await setZone(context, before?.zone ?? 'UTC');
  }
}

async function inZones<T>(
  context: InspectContext,
  zones: readonly [string, string],
  work: () => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const zone of zones) {
    await setZone(context, zone);
    found.push(await work());
  }
  return found;
}

async function setZone({ read }: InspectContext, zone: string): Promise<void> {
  await read.run(`select pg_catalog.set_config('timezone', $1, true)`, [zone]);
}

/** A sum for each column, and the number of rows. */
async function digests(
  { read, from }: InspectContext,
  columns: readonly ResultColumn[],
): Promise<readonly string[]> {
  const key = keyText(columns) ?? "''";
  const sums = columns.map((column, at) => {
    const text = textOf(column);
    return `cast(pg_catalog.sum(pg_catalog.hashtextextended(pg_catalog.concat(${key}, ' ', ${text}), 0)) as pg_catalog.text) as c${at}`;
  });
  const list = [...sums, 'cast(pg_catalog.count(*) as pg_catalog.text) as rows'].join(', ');
  const [row = {}] = await attempted(read, `select ${list} from ${from}`);
  return Object.values(row).map(String);
}

/** Rows that differ between the usual zones, of the first ones. */
async function countRows(
  context: InspectContext,
  columns: readonly ResultColumn[],
): Promise<Pick<ZoneFacts, 'count' | 'sample'>> {
  const { read, from } = context;
  const texts = columns.map(textOf).join(', ');
  const digest = `pg_catalog.md5(pg_catalog.concat_ws(',', ${texts}))`;
  const key = keyText(columns);
  const name = key ?? digest;
  const found = await inZones(context, USUAL, async () => {
    const rows = await attempted<{ name: string; digest: string }>(
      read,
      `select ${name} as name, ${digest} as digest from ${from} order by 1 limit ${MOST_ROWS}`,
    );
    return new Map(rows.map((row) => [row.name, row.digest]));
  });
  const [first = new Map<string, string>(), second = new Map<string, string>()] = found;
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const differing = names.filter((each) => first.get(each) !== second.get(each));
  return { count: differing.length, sample: key === null ? [] : differing.slice(0, SAMPLES) };
}

/** Null: the rows have no key. */
function keyText(columns: readonly ResultColumn[]): string | null {
  return columns.some((column) => column.name === 'key')
    ? `coalesce(cast(q."key" as pg_catalog.text), '')`
    : null;
}

function textOf({ name, type }: ResultColumn): string {
  const value = `q."${name.replaceAll('"', '""')}"`;
  const plain = type === MOMENT ? `pg_catalog.timezone('UTC', ${value})` : value;
  return `coalesce(cast(${plain} as pg_catalog.text), '')`;
}

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

/** Different values that are shown. */
const MOST_VALUES = 6;
/** Columns that are looked at; a table with more is no table of records. */
const MOST_COLUMNS = 12;
const LONGEST_VALUE = 30;
/** Rows that are looked at: a value that is not among them says nothing about the others. */
const MOST_FLAG_ROWS = 200_000;

/** Columns of the base tables that look like publication or deletion and that the query does not mention, with their values. */
export async function readFlags(context: InspectContext): Promise<readonly FlagColumn[]> {
  const { read, entity, shape } = context;
  const bases = new Set(shape.selects.map(({ base }) => base?.alias));
  const others = shape.selects.flatMap(({ joins }) => joins.flatMap(({ alias }) => alias ?? []));
  const otherAliases = new Set(others.filter((alias) => !bases.has(alias)));
  const found: FlagColumn[] = [];
  const tables = await baseTables(context);
  if (tables.length === 0) throw new Error('the base table of the query was not found');
  for (const table of tables) {
    const columns = table.columns.filter(
      (column) => looksLikeFlag(column) && !mentions(entity.query.sql, column.name, otherAliases),
    );
    for (const column of columns.slice(0, MOST_COLUMNS)) {
      found.push({
        table: table.title,
        column: column.name,
        type: column.type,
        values: column.selectable ? await readValues(read, table, column) : null,
      });
    }
  }
  return found;
}

/** Null: too many, too long, or not readable in time. Of a time only whether there is one. */
async function readValues(
  read: InspectContext['read'],
  table: CatalogTable,
  { sqlName, kind }: CatalogColumn,
): Promise<FlagColumn['values']> {
  const isTime = ['date', 'timestamp', 'timestamptz'].includes(kind);
  if (!isTime && !['text', 'integer', 'boolean', 'enum'].includes(kind)) return null;
  const value = isTime
    ? `case when t.${sqlName} is null then null else 'a time' end`
    : `cast(t.${sqlName} as pg_catalog.text)`;
  try {
    const rows = await attempted<{ value: string | null; count: string }>(
      read,
      `select ${value} as value, cast(pg_catalog.count(*) as pg_catalog.text) as count
       from (select * from ${table.sqlName} limit ${MOST_FLAG_ROWS}) as t group by 1 order by pg_catalog.count(*) desc limit ${MOST_VALUES + 1}`,
    );
    const isList =
      rows.length <= MOST_VALUES && rows.every((row) => (row.value?.length ?? 0) <= LONGEST_VALUE);
    return isList ? rows.map((row) => ({ value: row.value, count: Number(row.count) })) : null;
  } catch {
    return null;
  }
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 4;

/** The tables behind FROM of each SELECT of the query, through its CTEs and subqueries. What is not certain is left out. */
async function baseTables(context: InspectContext): Promise<readonly CatalogTable[]> {
  const named = basesOf(context.shape, context.shape.ctes, DEEPEST);
  const found = new Set<CatalogTable>();
  for (const table of named) {
    const known = await findTable(context, table);
    if (known) found.add(known);
  }
  return [...found];
}

/** The table of the catalogue that a name stands for under the role's search path; null: none. */
export async function findTable(
  { read, catalog }: Pick<InspectContext, 'read' | 'catalog'>,
  { sql }: NamedTable,
): Promise<CatalogTable | null> {
  const [row] = await attempted<{ oid: string | null }>(
    read,
    `select cast(cast(pg_catalog.to_regclass($1) as pg_catalog.oid) as pg_catalog.text) as oid`,
    [sql],
  );
  return catalog.tables.find(({ oid }) => String(oid) === row?.oid) ?? null;
}

/** The text of the CTE or the subquery that is the base of a SELECT; undefined: it is neither. Pure. */
export function innerQuery(
  { baseSql }: Pick<SelectShape, 'baseSql'>,
  ctes: ReadonlyMap<string, string>,
): string | undefined {
  return subquery(baseSql) ?? ctes.get(/^\w+/.exec(baseSql)?.[0].toLowerCase() ?? '');
}

function basesOf(shape: QueryShape, ctes: ReadonlyMap<string, string>, deep: number): readonly NamedTable[] {
  if (deep === 0) return [];
  return shape.selects.flatMap((select) => {
    if (select.base !== null) return [select.base];
    const inner = innerQuery(select, ctes);
    return inner === undefined
      ? []
      : basesOf(queryShape(inner), new Map([...ctes, ...queryShape(inner).ctes]), deep - 1);
  });
}

/** What stands between the parentheses of `( select … ) alias`. */
function subquery(sql: string): string | undefined {
  return /^\(([^]*)\)[^)]*$/.exec(sql)?.[1];
}
