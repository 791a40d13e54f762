import { escapePattern } from './query-shape.js';

/** What EXPLAIN says: which tables a plan reads, and which of them it reads as a whole again and again. */

/** The parts of a node of EXPLAIN (FORMAT JSON, VERBOSE) that are used here. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly 'Plan Rows'?: number;
  readonly Filter?: string;
  readonly 'Join Filter'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Subplan Name'?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** A table that a plan reads. */
export interface PlannedTable {
  readonly schema: string;
  readonly name: string;
}

/** Every table that a plan reads, each once. */
export function plannedTables(node: PlanNode): readonly PlannedTable[] {
  const found = new Map<string, PlannedTable>();
  const visit = (each: PlanNode): void => {
    const { Schema: schema, 'Relation Name': name, Plans = [] } = each;
    if (schema !== undefined && name !== undefined)
      found.set(JSON.stringify([schema, name]), { schema, name });
    Plans.forEach(visit);
  };
  visit(node);
  return [...found.values()];
}

/** A table that a plan reads as a whole again and again. */
export interface RepeatedScan extends PlannedTable {
  /** How often: the rows of the tables outside of it. The planner's own estimate is often far too low. */
  readonly times: number;
  /** The largest of the tables outside of it; null: a subquery. */
  readonly outer: string | null;
  /** Rows of the table. */
  readonly rows: number;
  /** Its column in the condition; null: not found. */
  readonly column: string | null;
}

/** Rows of a table as the catalogue knows them; null: unknown. */
type RowsOf = (table: PlannedTable) => number | null;

/**
 * The whole reads of tables within loops: the inner side of a nested loop, and subqueries that depend on the outer row.
 * Counts with the real size of the outer table, because EXPLAIN's estimates of a condition are often wrong by a
 * factor of a hundred.
 */
export function repeatedScans(plan: PlanNode, rowsOf: RowsOf): readonly RepeatedScan[] {
  const found: RepeatedScan[] = [];
  const visit = (node: PlanNode, around: Around): void => {
    const { Plans = [], Schema: schema, 'Relation Name': name, Alias: alias = '' } = node;
    if (around.repeated && name !== undefined && schema !== undefined && readsAll(node)) {
      const { times, outer } = around;
      const column = columnOf(alias, [...conditionsOf(node), ...around.conditions]);
      found.push({ schema, name, times, outer, column, rows: sizeOf(node, rowsOf) });
    }
    const within: Around =
      node['Node Type'] === 'Materialize' ? { ...around, times: around.times * OF_MEMORY } : around;
    const [outer] = Plans.filter((child) => child['Parent Relationship'] === 'Outer');
    for (const child of Plans) {
      const relation = child['Parent Relationship'];
      const inner = node['Node Type'] === 'Nested Loop' && relation === 'Inner' && outer !== undefined;
      const dependent = relation === 'SubPlan' && !isHashed(node, child);
      if (!inner && !dependent) {
        visit(child, relation === 'InitPlan' ? START : within);
        continue;
      }
      const { rows, table } = largest(
        inner ? outer : { ...node, Plans: Plans.filter((each) => each !== child) },
        rowsOf,
      );
      visit(child, {
        times: within.times * rows,
        outer: table,
        conditions: inner ? conditionsOf(node) : [],
        repeated: true,
      });
    }
  };
  visit(plan, START);
  return found;
}

/** A materialised result is read again from memory: a tenth of the work of a table. */
const OF_MEMORY = 0.1;

interface Around {
  readonly times: number;
  readonly outer: string | null;
  readonly conditions: readonly string[];
  /** Whether something outside of it repeats it. */
  readonly repeated: boolean;
}

const START: Around = { times: 1, outer: null, conditions: [], repeated: false };

function readsAll(node: PlanNode): boolean {
  return /Seq Scan|Index Only Scan|Index Scan/.test(node['Node Type']) && node['Index Cond'] === undefined;
}

/** A subquery that is read once, into a hash table. */
function isHashed(node: PlanNode, child: PlanNode): boolean {
  const name = child['Subplan Name'];
  return (
    name !== undefined && [...conditionsOf(node), ...(node.Output ?? [])].join(' ').includes(`hashed ${name}`)
  );
}

function conditionsOf(node: PlanNode): readonly string[] {
  return [node.Filter, node['Join Filter']].filter((text) => text !== undefined);
}

function sizeOf(node: PlanNode, rowsOf: RowsOf): number {
  const { Schema: schema = '', 'Relation Name': name = '', 'Plan Rows': planned = 1 } = node;
  return Math.max(planned, rowsOf({ schema, name }) ?? 0);
}

/** Rows that may come out of a part of the plan, and the largest table in it. */
function largest(node: PlanNode, rowsOf: RowsOf): { readonly rows: number; readonly table: string | null } {
  const { Plans = [], 'Relation Name': name, 'Plan Rows': planned = 1 } = node;
  if (node['Node Type'] === 'Limit') return { rows: planned, table: null };
  const own =
    name === undefined
      ? { rows: planned, table: null }
      : { rows: readsAll(node) ? sizeOf(node, rowsOf) : planned, table: name };
  return Plans.filter((child) => child['Parent Relationship'] !== 'SubPlan')
    .map((child) => largest(child, rowsOf))
    .reduce((most, each) => {
      const table = most.table === null || each.rows > most.rows ? (each.table ?? most.table) : most.table;
      return { rows: Math.max(each.rows, most.rows), table };
    }, own);
}

/** The column of this table that a condition compares with another one. */
function columnOf(alias: string, conditions: readonly string[]): string | null {
  const name = escapePattern(alias);
  const reference = `\\(?"?${name}"?\\."?([A-Za-z_][\\w$]*)"?\\)?(?:::[\\w ]+)?`;
  for (const condition of conditions) {
    const match =
      new RegExp(`${reference} = `).exec(condition) ?? new RegExp(` = ${reference}`).exec(condition);
    if (match?.[1] !== undefined) return match[1];
  }
  return null;
}
