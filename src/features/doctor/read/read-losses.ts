import { escapeIdentifier } from 'pg';
import { SyncError } from '../../../core/domain/errors.js';
import type { CatalogTable } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { JoinFacts, JoinLoss } from '../facts.js';
import { SAMPLES } from '../rows/tallies.js';
import { conditionKinds, isAboutOne, type NamedColumns } from '../sql/conditions.js';
import { type JoinPart, queryShape, type SelectShape } from '../sql/query-shape.js';
import { findTable, innerQuery } from './base-tables.js';
import { attempted, type InspectContext } from './inspect-context.js';

/**
 * The rows of the base table that fulfil the query's own conditions on it and that a join leaves out; also within the CTE
 * or the subquery that is the base. Each statement repeats the partner's own FROM. What could not be looked at is named.
 */
export async function readLosses(context: InspectContext): Promise<JoinFacts> {
  const losses: JoinLoss[] = [];
  const unseen: string[] = [];
  const lookAt = async (select: SelectShape, prefix: string, deep = DEEPEST): Promise<void> => {
    try {
      losses.push(...(await lossesOf(context, select, prefix)));
    } catch (error) {
      if (error instanceof SyncError) throw error;
      unseen.push(`the joins of ${nameOf(select)} (${(error as Error).message})`);
    }
    const inner = select.base === null ? innerQuery(select, context.shape.ctes) : undefined;
    if (inner === undefined) return;
    const within = queryShape(inner);
    // The texts of a WITH within a WITH cannot be put together.
    if (deep <= 1 || /^\s*with\s+recursive\b/i.test(prefix) || !within.understood || within.prefix !== '')
      unseen.push(`the joins within ${nameOf(select)}`);
    else for (const each of within.selects) await lookAt(each, prefix, deep - 1);
  };
  const { shape } = context;
  if (!shape.understood) unseen.push('the query');
  for (const select of shape.selects) await lookAt(select, shape.prefix);
  return { losses, unseen: [...new Set(unseen)] };
}

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 4;

async function lossesOf(
  context: InspectContext,
  select: SelectShape,
  prefix: string,
): Promise<readonly JoinLoss[]> {
  const joins = select.joins.filter(({ kind }) => kind !== 'left');
  if (joins.length === 0) return [];
  const subject = await subjectOf(context, select);
  const others = await columnsOf(context, select, subject);
  const { own, joining } = conditionKinds(select.conditions, subject.named, others);
  const lost = (from: string, conditions: readonly string[]) =>
    countLost(context.read, { prefix, subject, from, own, joining: conditions });

  const isList = joins.some(({ kind }) => kind === 'list');
  const parts = select.joins.map((join) => linkingSql(join, [subject.named, ...others]));
  const fromSql = isList ? select.fromSql : [select.baseSql, ...parts].join('\n');
  const whole = await lost(fromSql, isList ? joining : []);
  if (whole.count === 0) return [];
  const base = subject.table?.title ?? subject.named.alias;
  if (isList || joins.length === 1 || subject.named.alias !== select.baseAlias)
    return [{ base, join: joins.map(labelOf).join(', '), names: joins.flatMap(namesOf), isList, ...whole }];

  const losses: JoinLoss[] = [];
  let before = 0;
  for (const [index, join] of select.joins.entries()) {
    if (join.kind === 'left') continue;
    const chain = parts.slice(0, index + 1);
    const { count, sample } = await lost([select.baseSql, ...chain].join('\n'), []);
    if (count > before)
      losses.push({
        base,
        join: labelOf(join),
        names: namesOf(join),
        isList,
        count: count - before,
        sample: before === 0 ? sample : [],
      });
    before = count;
  }
  return losses;
}

/** The table, CTE or subquery whose rows are counted. */
interface Subject {
  /** With alias, as FROM takes it. */
  readonly sql: string;
  /** Null: a CTE, a subquery or a function. */
  readonly table: CatalogTable | null;
  readonly named: NamedColumns;
}

/** The table whose rows must not be lost: the one of the key, else the first. Errors: it has no name. */
async function subjectOf(context: InspectContext, select: SelectShape): Promise<Subject> {
  const { keyAlias, baseAlias } = select;
  const joined = select.joins.find(
    ({ alias, table, kind }) =>
      kind !== 'left' && table !== null && alias === keyAlias && alias !== baseAlias,
  );
  const named = joined?.table ?? select.base;
  const table = named && (await findTable(context, named));
  const alias = named?.alias ?? baseAlias;
  if (alias === null) throw new Error('a table without a name');
  const sql = joined?.table ? `${joined.table.sql} as ${escapeIdentifier(alias)}` : select.baseSql;
  return { sql, table, named: { alias, columns: table?.columns.map(({ name }) => name) ?? [] } };
}

async function columnsOf(
  context: InspectContext,
  { joins, base, baseAlias }: SelectShape,
  subject: Subject,
): Promise<readonly NamedColumns[]> {
  const found: NamedColumns[] = [];
  for (const { alias, table } of [{ alias: baseAlias, table: base }, ...joins]) {
    if (alias === null || alias === subject.named.alias) continue;
    const known = table && (await findTable(context, table));
    found.push({ alias, columns: known?.columns.map(({ name }) => name) ?? [] });
  }
  return found;
}

/**
 * A join with what links it alone. A condition on one table is a filter that somebody wrote there: what it leaves out is
 * not lost by the join.
 */
function linkingSql({ kind, sql, on }: JoinPart, tables: readonly NamedColumns[]): string {
  if (kind !== 'inner' || on === null) return sql;
  const linking = on.conditions.filter((condition) => !isAboutOne(condition, tables));
  return `${on.head} on ${linking.length === 0 ? 'true' : linking.map((each) => `(${each}\n)`).join(' and ')}`;
}

function namesOf({ table, alias }: JoinPart): readonly string[] {
  return [table?.sql, table?.name, alias].filter((name) => typeof name === 'string');
}

function labelOf({ table, alias }: JoinPart): string {
  return table?.sql ?? alias ?? 'a subquery';
}

function nameOf({ base, baseAlias }: SelectShape): string {
  return base?.sql ?? baseAlias ?? 'a subquery';
}

interface LostQuestion {
  /** `with … as (…)`, or nothing. */
  readonly prefix: string;
  readonly subject: Subject;
  /** What the subject is joined with, itself among it. */
  readonly from: string;
  /** Conditions on the subject alone. */
  readonly own: readonly string[];
  /** Conditions that join a list of tables. */
  readonly joining: readonly string[];
}

/**
 * The rows of the subject that are not in the joined result, and keys of some. Rows are the same when their primary key is;
 * without one when all of their columns are. Errors: as `attempted`.
 */
async function countLost(
  read: Pick<ReadOnly, 'attempt'>,
  { prefix, subject, from, own, joining }: LostQuestion,
): Promise<{ readonly count: number; readonly sample: readonly string[] }> {
  const { table, named } = subject;
  const alias = escapeIdentifier(named.alias);
  const primaryKey = table?.primaryKey ?? null;
  const columns = primaryKey?.map((column) => `${alias}.${escapeIdentifier(column)}`) ?? [];
  const [only] = columns.length === 1 ? columns : [];
  const row = columns.length > 0 ? `row(${columns.join(', ')})` : `${alias}.*`;
  const key = `cast(${only ?? row} as pg_catalog.text)`;
  const rows = await attempted<{ count: string; key: string | null }>(
    read,
    `${prefix}\nselect cast(pg_catalog.count(*) over () as pg_catalog.text) as count, lost.k as key
     from (select ${key} as k from ${subject.sql}\n${where(own)}
       except select ${key} from ${from}\n${where([...own, ...joining])}) as lost
     order by 2 limit ${SAMPLES}`,
  );
  return {
    count: Number(rows[0]?.count ?? 0),
    // The other columns of a row may be about people.
    sample: only === undefined ? [] : rows.flatMap((each) => each.key ?? []),
  };
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0
    ? ''
    : `where ${conditions.map((condition) => `(${condition}\n)`).join('\nand ')}`;
}
