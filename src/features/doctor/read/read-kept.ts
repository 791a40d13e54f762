import { escapeIdentifier } from 'pg';
import { type CatalogColumn, isTime } from '../../catalog/catalog.js';
import { areStates, isFlagName } from '../../init/states.js';
import { mayHoldPeople } from '../../init/words.js';
import type { KeptFlag } from '../facts.js';
import { SAMPLES } from '../rows/tallies.js';
import { escapePattern, queryShape, type SelectShape } from '../sql/query-shape.js';
import { findTable, innerQuery } from './base-tables.js';
import { attempted, type InspectContext } from './inspect-context.js';

/**
 * What the conditions of a query keep and leave out: the rows of its own FROM, counted by each flag, state and time of
 * deletion of the tables in it, whatever the conditions name. What cannot be counted is left out.
 */
export async function readKept(context: InspectContext): Promise<readonly KeptFlag[]> {
  const { shape } = context;
  const found: KeptFlag[] = [];
  let isKnown = false;
  const lookAt = async (
    select: SelectShape,
    prefix: string,
    outside = '',
    called = '',
    deep = DEEPEST,
  ): Promise<void> => {
    const base = select.base && (await findTable(context, select.base));
    const [key, second] = base?.primaryKey ?? [];
    const isOne = key !== undefined && second === undefined && select.base !== null;
    const keySql = isOne ? `${escapeIdentifier(select.base.alias)}.${escapeIdentifier(key)}` : 'null';
    // What a LEFT JOIN adds is no record.
    const joined = select.joins.filter(({ kind }) => kind !== 'left').map(({ table }) => table);
    for (const named of [select.base, ...joined]) {
      const table = named && (await findTable(context, named));
      if (!table) continue;
      isKnown = true;
      // What stands outside of a subquery may leave more of it out.
      const columns = table.columns
        .filter((column) => isAsked(column) && !namesColumn(outside, called, column.name))
        .slice(0, MOST_COLUMNS);
      for (const column of columns) {
        const values = await countKept(context, { select, prefix, alias: named.alias, column, keySql });
        if (values) found.push({ table: table.title, alias: named.alias, column, values });
      }
    }
    const inner = select.base === null ? innerQuery(select, shape.ctes) : undefined;
    const within = inner === undefined ? null : queryShape(inner);
    const conditions = [
      outside,
      ...select.conditions,
      ...select.joins.flatMap(({ on }) => on?.conditions ?? []),
    ].join(' ');
    if (deep > 1 && within?.understood === true && within.prefix === '')
      for (const each of within.selects)
        await lookAt(each, prefix, conditions, select.baseAlias ?? '', deep - 1);
  };
  if (!shape.understood) throw new Error('the query could not be taken apart');
  for (const select of shape.selects) await lookAt(select, shape.prefix);
  if (!isKnown) throw new Error('the base table of the query was not found');
  return found;
}

/** Whether conditions outside of a subquery name a column of it, with the name of the subquery or with none. */
function namesColumn(conditions: string, alias: string, column: string): boolean {
  const [of, name] = [escapePattern(alias), escapePattern(column)];
  return new RegExp(`(?:(?<![\\w."])|(?<![\\w"])"?${of}"?\\.)"?${name}"?(?!\\w)`, 'i').test(conditions);
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 4;
/** Columns that are looked at; a table with more is no table of records. */
const MOST_COLUMNS = 12;

function isAsked(column: CatalogColumn): boolean {
  const { kind, selectable, enumLabels, checkValues } = column;
  return (
    selectable &&
    !mayHoldPeople(column) &&
    (isTime(kind) || ['text', 'integer', 'boolean', 'enum'].includes(kind)) &&
    (isFlagName(column) || areStates(enumLabels ?? checkValues ?? []))
  );
}

interface Counted {
  readonly select: SelectShape;
  readonly prefix: string;
  readonly alias: string;
  readonly column: CatalogColumn;
  /** Of the base table; `null`: it has none of one column. */
  readonly keySql: string;
}

/** Null: too many values, too long ones, or not readable in time. Of a time only whether there is one. */
async function countKept(
  { read }: InspectContext,
  { select, prefix, alias, column, keySql }: Counted,
): Promise<KeptFlag['values'] | null> {
  const sql = `${escapeIdentifier(alias)}.${column.sqlName}`;
  const value = isTime(column.kind)
    ? `case when ${sql} is null then 'none' when ${sql} operator(pg_catalog.>) pg_catalog.now() then 'future' else 'past' end`
    : `cast(${sql} as pg_catalog.text)`;
  const conditions = select.conditions.map((condition) => `(${condition}\n)`).join(' and ') || 'true';
  // Without its conditions, a list of tables would be every pair of their rows.
  const isList = select.joins.some(({ kind }) => kind === 'list');
  const kept = isList ? 'true' : `coalesce(${conditions}, false)`;
  try {
    const rows = await attempted<CountRow>(
      read,
      `${prefix}\nselect k.value, cast(pg_catalog.count(*) as pg_catalog.text) as rows,
         cast(pg_catalog.count(*) filter (where k.kept) as pg_catalog.text) as kept,
         (pg_catalog.array_agg(k.key order by k.key) filter (where k.kept))[1:${SAMPLES}] as sample
       from (select ${value} as value, ${kept} as kept, cast(${keySql} as pg_catalog.text) as key
         from ${select.fromSql}\n${isList ? `where ${conditions}` : ''} limit ${MOST_ROWS}) as k
       group by 1 order by pg_catalog.count(*) desc, 1 limit ${MOST_VALUES + 1}`,
    );
    const isShort = rows.length <= MOST_VALUES && rows.every((row) => (row.value?.length ?? 0) <= LONGEST);
    return isShort
      ? rows.map((row) => ({
          value: row.value,
          kept: Number(row.kept),
          leftOut: Number(row.rows) - Number(row.kept),
          sample: (row.sample ?? []).flatMap((key) => key ?? []),
        }))
      : null;
  } catch {
    return null;
  }
}

interface CountRow extends Record<string, unknown> {
  readonly value: string | null;
  readonly rows: string;
  readonly kept: string;
  readonly sample: readonly (string | null)[] | null;
}

/** Different values of a flag or state, and the longest of them. */
const MOST_VALUES = 12;
const LONGEST = 30;
const MOST_ROWS = 200_000;
