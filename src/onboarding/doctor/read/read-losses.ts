import { SyncError } from '../../../domain/errors.js';
import type { JoinLoss, JoinFacts } from '../facts.js';
import { conditionKinds, isAboutOne, type NamedColumns } from '../sql/condition-kinds.js';
import { queryShape } from '../sql/query-shape.js';
import type { JoinPart, SelectShape } from '../sql/read-select.js';
import { innerQuery, findTable } from './base-tables.js';
import { countLost, type Subject } from './count-lost.js';
import type { InspectContext } from './inspect-context.js';

/** CTEs and subqueries that are followed, one in another. */
const DEEPEST = 4;

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
  const sql = joined?.table ? `${joined.table.sql} as "${alias.replaceAll('"', '""')}"` : select.baseSql;
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
