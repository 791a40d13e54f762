import { escapeIdentifier } from 'pg';
import type { JoinLoss } from '../facts.js';
import { SAMPLES } from '../rows/tallies.js';
import { rowSelects, type SelectShape } from '../sql/query-shape.js';
import { pairsIn } from '../sql/sources.js';
import { allOf, attempted, type InspectContext } from './inspect-context.js';

/**
 * The rows of the base table that fulfil the query's own conditions on it and that its joins leave out; also within the CTE
 * or the subquery that is the base. One statement for each SELECT with joins, which repeats the partner's own FROM.
 */
export async function readLosses(context: InspectContext): Promise<readonly JoinLoss[]> {
  if (!context.shape.understood) throw new Error('the query could not be taken apart');
  const losses: JoinLoss[] = [];
  for (const { select } of rowSelects(context.shape)) {
    const loss = await lossOf(context, select);
    if (loss !== null) losses.push(loss);
  }
  return losses;
}

/**
 * A condition on one table is a filter that somebody wrote: what it leaves out is not lost by a join. Rows are the same when
 * their primary key is; without one when all of their columns are.
 */
async function lossOf(
  { read, shape, tableOf }: InspectContext,
  { parts, keyAlias, conditions, fromSql }: SelectShape,
): Promise<JoinLoss | null> {
  const joins = parts.filter(({ kind }) => kind !== 'left' && kind !== 'base');
  // The rows that must not be lost are those of the table of the key, else of the first one.
  const subject =
    parts.find(({ alias, table, kind }) => table !== null && kind !== 'left' && alias === keyAlias) ??
    parts[0];
  if (joins.length === 0 || !subject?.alias) return null;
  const named = parts.map(({ alias, table }) => ({
    alias,
    columns: (table && tableOf(table))?.columns.map(({ name }) => name) ?? [],
  }));
  const about = (condition: string) =>
    new Set(
      pairsIn(condition).flatMap(([of, column]) =>
        named.filter(({ alias, columns }) => (of === null ? columns.includes(column) : of === alias)),
      ),
    );
  const isLinking = (condition: string) => about(condition).size > 1;
  const own = conditions.filter((condition) =>
    [...about(condition)].every(({ alias }) => alias === subject.alias),
  );
  const isList = joins.some(({ kind }) => kind === 'list');
  const linked = parts.map(({ kind, sql, on }) =>
    kind === 'inner' && on ? `${on.head} on ${allOf(on.conditions.filter(isLinking))}` : sql,
  );
  const from = isList ? fromSql : linked.join('\n');
  const joining = isList ? conditions.filter(isLinking) : [];
  const alias = escapeIdentifier(subject.alias);
  const table = subject.table && tableOf(subject.table);
  const key = table?.primaryKey?.map((column) => `${alias}.${escapeIdentifier(column)}`) ?? [];
  const [only = `row(${key.join(', ') || `${alias}.*`})`] = key.length === 1 ? key : [];
  const keySql = `cast(${only} as pg_catalog.text)`;
  const subjectSql = subject.table ? `${subject.table.sql} as ${alias}` : subject.sql;
  const rows = await attempted<{ count: string; key: string }>(
    read,
    `${shape.prefix}\nselect cast(pg_catalog.count(*) over () as pg_catalog.text) as count, lost.k as key
     from (select ${keySql} as k from ${subjectSql}\nwhere ${allOf(own)}
       except select ${keySql} from ${from}\nwhere ${allOf([...own, ...joining])}) as lost
     order by 2 limit ${SAMPLES}`,
  );
  if (rows.length === 0) return null;
  return {
    base: table?.title ?? subject.alias,
    joins: joins.map(({ table: joined, alias: called }) => joined?.sql ?? called ?? 'a subquery'),
    names: joins.flatMap(({ table: joined, alias: called }) =>
      [joined?.sql, joined?.name, called].filter((name) => typeof name === 'string'),
    ),
    count: Number(rows[0]?.count ?? 0),
    // The other columns of a row may be about people.
    sample: key.length === 1 ? rows.map((each) => each.key) : [],
  };
}
