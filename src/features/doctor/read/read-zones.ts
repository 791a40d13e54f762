import { escapeIdentifier } from 'pg';
import type { ResultColumn, ZoneFacts } from '../facts.js';
import { SAMPLES } from '../rows/tallies.js';
import { attempted, type InspectContext, setParameter } from './inspect-context.js';

/**
 * Which columns and how many rows of the query depend on the session's time zone, such as `to_timestamp(x)::date` and
 * conditions with `current_date`. Two passes of the query where nothing does, else two more. Leaves the session in its own
 * zone. Null: nothing does.
 */
export async function readZones(context: InspectContext): Promise<ZoneFacts | null> {
  const { read, columns } = context;
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
    await setParameter(read, 'timezone', before?.zone ?? 'UTC');
  }
}

/** 26 hours apart: whatever depends on the session's zone differs between them at any time of the day. */
const FAR_APART = ['Etc/GMT+12', 'Etc/GMT-14'] as const;
/** The zones that the session has in practice. */
const USUAL = ['UTC', 'Asia/Jakarta'] as const;
const NOT_CONTENT = ['row_version'];

async function inZones<T>(
  context: InspectContext,
  zones: readonly [string, string],
  work: () => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const zone of zones) {
    await setParameter(context.read, 'timezone', zone);
    found.push(await work());
  }
  return found;
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

/** Rows that are compared one by one. */
const MOST_ROWS = 20_000;

/** Null: the rows have no key. */
function keyText(columns: readonly ResultColumn[]): string | null {
  return columns.some((column) => column.name === 'key')
    ? `coalesce(cast(q."key" as pg_catalog.text), '')`
    : null;
}

function textOf({ name, type }: ResultColumn): string {
  const value = `q.${escapeIdentifier(name)}`;
  const plain = type === MOMENT ? `pg_catalog.timezone('UTC', ${value})` : value;
  return `coalesce(cast(${plain} as pg_catalog.text), '')`;
}

/** The text of these depends on the zone, and what they mean does not. */
const MOMENT = 'timestamp with time zone';
