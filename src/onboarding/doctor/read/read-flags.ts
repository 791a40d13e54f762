import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import type { FlagColumn } from '../facts.js';
import { looksLikeFlag, mentions } from '../sql/conditions.js';
import { baseTables } from './base-tables.js';
import { attempted, type InspectContext } from './inspect-context.js';

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

/** Columns that are looked at; a table with more is no table of records. */
const MOST_COLUMNS = 12;

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

/** Different values that are shown. */
const MOST_VALUES = 6;
const LONGEST_VALUE = 30;
/** Rows that are looked at: a value that is not among them says nothing about the others. */
const MOST_FLAG_ROWS = 200_000;
