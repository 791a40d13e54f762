import { escapeIdentifier } from 'pg';
import { type CatalogColumn, isTime } from '../../catalog/catalog.js';
import { payFlagKind } from '../../init/map/find-notices.js';
import { areStates, isFlagName } from '../../init/states.js';
import { mayHoldPeople } from '../../init/words.js';
import type { KeptFlag } from '../facts.js';
import { SAMPLES } from '../rows/tallies.js';
import { type FromPart, type NamedTable, rowSelects, type SelectShape } from '../sql/query-shape.js';
import { behind, pairsIn, tablesBehind } from '../sql/sources.js';
import { allOf, attempted, type InspectContext } from './inspect-context.js';

/**
 * What the conditions of a query keep and leave out: the rows of its own FROM, counted by each flag, state and time of
 * deletion of the tables in it, whatever the conditions name. One statement for each SELECT.
 */
export async function readKept(context: InspectContext): Promise<readonly KeptFlag[]> {
  const { shape, tableOf } = context;
  if (!shape.understood) throw new Error('the query could not be taken apart');
  const selects = rowSelects(shape);
  if (!selects.some(({ select }) => select.parts.some(({ table }) => table && tableOf(table))))
    throw new Error('the base table of the query was not found');
  const found: KeptFlag[] = [];
  for (const { select, outside, called } of selects) {
    const named = pairsIn(outside);
    const isNamed = ({ name }: CatalogColumn) =>
      named.some(([of, column]) => column === name && (of === null || of === called));
    // What a LEFT JOIN adds is no record; what stands outside of a subquery may leave more of it out.
    const flags = select.parts.flatMap((part) =>
      tablesBehind(part).flatMap((of) =>
        flagsOf(context, part, of, (column) => part.kind !== 'left' && isAsked(column) && !isNamed(column)),
      ),
    );
    if (flags.length > 0) found.push(...(await countKept(context, select, flags)));
  }
  return found;
}

/** The flags of a table in a FROM; of one within a CTE only what is about pay, because its states are asked for there. */
function flagsOf(
  { sources, tableOf }: InspectContext,
  part: FromPart,
  named: NamedTable,
  isState: (column: CatalogColumn) => boolean,
): readonly Flag[] {
  const { table: own, alias } = part;
  const table = tableOf(named);
  if (!table || alias === null) return [];
  const flags = table.columns.flatMap((column): Flag[] => {
    const says = payFlagKind(column) ?? (own && isState(column) ? 'state' : null);
    if (says === null || (!own && behind([part], alias, column.name).length === 0)) return [];
    return [{ table: table.title, alias, column, says, isUsed: sources.uses(named, column.name) }];
  });
  return flags.slice(0, MOST_COLUMNS);
}

/** Columns that are looked at; a table with more is no table of records. */
const MOST_COLUMNS = 12;

type Flag = Omit<KeptFlag, 'values'>;

function isAsked(column: CatalogColumn): boolean {
  const { kind, selectable, enumLabels, checkValues } = column;
  return (
    selectable &&
    !mayHoldPeople(column) &&
    (isTime(kind) || ['text', 'integer', 'boolean', 'enum'].includes(kind)) &&
    (isFlagName(column) || areStates(enumLabels ?? checkValues ?? []))
  );
}

/** Without a flag that has too many values, or too long ones. */
async function countKept(
  { read, shape, sources, tableOf }: InspectContext,
  { parts, conditions, fromSql, items }: SelectShape,
  flags: readonly Flag[],
): Promise<readonly KeptFlag[]> {
  const where = allOf(conditions);
  // Without its conditions, a list of tables would be every pair of their rows.
  const isList = parts.some(({ kind }) => kind === 'list');
  const base = parts[0]?.table;
  const [key, second] = (base && tableOf(base)?.primaryKey) ?? [];
  const keySql = base && key && !second ? `${escapeIdentifier(base.alias)}.${escapeIdentifier(key)}` : 'null';
  // Pay of a group is an aggregate, which no row has.
  const pay = sources.isGrouped ? [] : items.filter(({ name }) => name?.endsWith('_salary_amount') === true);
  const paysSql = pay.length === 0 ? '0' : `pg_catalog.num_nonnulls(${pay.map(({ sql }) => sql).join(', ')})`;
  const rows = await attempted<CountRow>(
    read,
    `${shape.prefix}\nselect c.* from (
       select v.at, v.value, pg_catalog.count(*) as rows, pg_catalog.count(*) filter (where k.kept) as kept,
         pg_catalog.count(*) filter (where k.kept and k.pays operator(pg_catalog.>) 0) as paid,
         (pg_catalog.array_agg(k.key order by k.pays desc, k.key) filter (where k.kept))[1:${SAMPLES}] as sample,
         pg_catalog.row_number() over (partition by v.at order by pg_catalog.count(*) desc, v.value) as place
       from (select array[${flags.map(valueOf).join(', ')}] as flags, cast(${keySql} as pg_catalog.text) as key, ${paysSql} as pays,
           ${isList ? 'true' : `coalesce(${where}, false)`} as kept
         from ${fromSql}\n${isList ? `where ${where}` : ''} limit ${MOST_ROWS}) as k,
         lateral pg_catalog.unnest(k.flags) with ordinality as v(value, at)
       group by v.at, v.value) as c
     where c.place operator(pg_catalog.<=) ${MOST_VALUES + 1} order by c.at, c.place`,
  );
  return flags.flatMap((flag, at) => {
    const own = rows.filter((row) => Number(row.at) === at + 1);
    if (own.length > MOST_VALUES || own.some(({ value }) => (value?.length ?? 0) > LONGEST)) return [];
    const values = own.map(({ value, kept, rows: all, paid, sample }) => ({
      value,
      kept: Number(kept),
      leftOut: Number(all) - Number(kept),
      paid: Number(paid),
      sample: (sample ?? []).flatMap((each) => each ?? []),
    }));
    return [{ ...flag, values }];
  });
}

/** Of a time only whether there is one. */
function valueOf({ alias, column }: Flag): string {
  const sql = `${escapeIdentifier(alias)}.${column.sqlName}`;
  return isTime(column.kind)
    ? `case when ${sql} is null then 'none' when ${sql} operator(pg_catalog.>) pg_catalog.now() then 'future' else 'past' end`
    : `pg_catalog.left(cast(${sql} as pg_catalog.text), ${LONGEST + 1})`;
}

interface CountRow extends Record<string, unknown> {
  readonly at: string;
  readonly value: string | null;
  readonly rows: string;
  readonly kept: string;
  readonly paid: string;
  readonly sample: readonly (string | null)[] | null;
}

/** Different values of a flag or state, and the longest of them. */
const MOST_VALUES = 12;
const LONGEST = 30;
const MOST_ROWS = 200_000;
