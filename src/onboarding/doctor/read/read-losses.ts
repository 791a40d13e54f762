import type { CatalogTable } from '../../catalog/catalog.js';
import type { JoinLoss } from '../facts.js';
import { SAMPLES } from '../rows/counted.js';
import { concernsOnly } from '../sql/concerns-only.js';
import type { JoinPart, NamedTable, SelectShape } from '../sql/query-shape.js';
import { attempted } from './attempted.js';
import { findTable } from './base-tables.js';
import type { InspectContext } from './inspect-context.js';

/**
 * The rows of the base table that fulfil the query's own conditions on it and that an inner join leaves out, join by
 * join. Nothing for a query whose parts are not certain. Each statement repeats the partner's own FROM and ON.
 */
export async function readLosses(context: InspectContext): Promise<readonly JoinLoss[]> {
  const losses: JoinLoss[] = [];
  for (const select of context.shape.selects) losses.push(...(await lossesOf(context, select)));
  return losses;
}

async function lossesOf(context: InspectContext, select: SelectShape): Promise<readonly JoinLoss[]> {
  const { base, joins } = select;
  if (base === null) return [];
  const certain = until(joins, ({ kind }) => kind === 'other');
  if (!certain.some(({ kind }) => kind === 'inner')) return [];
  const table = await findTable(context, base);
  if (table === null) return [];

  const where = await ownConditions(context, select, base, table);
  const losses: JoinLoss[] = [];
  let before = 0;
  for (const [index, join] of certain.entries()) {
    if (join.kind !== 'inner') continue;
    const chain = certain.slice(0, index + 1).map(({ sql }) => sql);
    const lost = await count(context, select, table, [...where, withoutMatch(chain)]);
    if (lost.count > before)
      losses.push({
        base: table.sqlName,
        join: join.table?.sql ?? join.alias ?? 'a subquery',
        count: lost.count - before,
        sample: before === 0 ? lost.sample : [],
      });
    before = lost.count;
  }
  return losses;
}

function withoutMatch(joins: readonly string[]): string {
  return `not exists (select 1 from (select 1) as placement_sync_one\n${joins.join('\n')}\n)`;
}

/** The conditions of WHERE that are about the base table alone. */
async function ownConditions(
  context: InspectContext,
  { joins, conditions }: SelectShape,
  base: NamedTable,
  table: CatalogTable,
): Promise<readonly string[]> {
  const columns = new Set(table.columns.map(({ name }) => name));
  const others: string[] = [];
  for (const { table: named } of joins) {
    const other = named && (await findTable(context, named));
    others.push(...(other?.columns.map(({ name }) => name) ?? []));
  }
  const scope = {
    alias: base.alias,
    columns,
    otherAliases: new Set(joins.flatMap(({ alias }) => alias ?? [])),
    otherColumns: new Set(others.filter((name) => !columns.has(name))),
  };
  return conditions
    .filter((condition) => concernsOnly(condition, scope))
    .map((condition) => `(${condition}\n)`);
}

async function count(
  { read, shape }: InspectContext,
  { baseSql, base }: SelectShape,
  { primaryKey }: CatalogTable,
  conditions: readonly string[],
): Promise<{ readonly count: number; readonly sample: readonly string[] }> {
  const [column] = primaryKey?.length === 1 ? primaryKey : [];
  const key =
    column === undefined ? 'null' : `cast(${quoted(base?.alias ?? '')}.${quoted(column)} as pg_catalog.text)`;
  const rows = await attempted<{ count: string; key: string | null }>(
    read,
    `${shape.prefix}\nselect cast(pg_catalog.count(*) over () as pg_catalog.text) as count, ${key} as key
     from ${baseSql}\nwhere ${conditions.join('\nand ')}\norder by 2 limit ${SAMPLES}`,
  );
  return { count: Number(rows[0]?.count ?? 0), sample: rows.flatMap((row) => row.key ?? []) };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function until(joins: readonly JoinPart[], ends: (join: JoinPart) => boolean): readonly JoinPart[] {
  const end = joins.findIndex(ends);
  return end === -1 ? joins : joins.slice(0, end);
}
