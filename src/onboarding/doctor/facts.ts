import type { Area, EntityName } from '../../domain/names.js';
import type { ReplyRule } from '../../domain/reply/reply-rules.js';
import type { Reply } from '../../domain/reply/reply.js';
import type { EntityQuery, Source, SourceRow } from '../../ports/source.js';
import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import type { DoctorEntity, Learned } from './finding.js';
import type { RowFacts } from './rows/row-tallies.js';
import type { QueryShape } from './sql/query-shape.js';

/** The settings that checks look at. */
export interface DoctorSettings {
  readonly source: {
    readonly url: string;
    /** Of timestamps without zone; null: not set. */
    readonly timeZone: string | null;
    /** Null: the server's own. */
    readonly sessionTimeZone: string | null;
    readonly rowSecurity: 'refuse' | 'allow';
    readonly statementTimeoutMs: number;
  };
  readonly platformTimeZone: string;
  /** Percent of the records of an entity that may be invalid. */
  readonly maxInvalidPercent: number;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
}

/** Server, role and tables of the source. */
export interface SourceFacts extends Catalog {
  /** How far its clock is ahead of ours, milliseconds. */
  readonly clockAheadMs: number;
  /** Of a replica: whether it cancels long reads. */
  readonly cancelsReads: boolean;
  /** Whether the role may change data in tables of the database; the first of them. */
  readonly writable: readonly string[];
}

export interface StateFacts {
  /** Why run would not begin: no tables, older or newer tables. Null: nothing. */
  readonly unmigrated: string | null;
  /** Of tables that are missing: whether the role may make them; null: not asked. */
  readonly mayCreate: boolean | null;
  /** What differs between the configured platform and the one of the ledger. */
  readonly differences: readonly string[];
}

/** One harmless Find with an id that nobody has. */
export interface TriedFind {
  readonly entity: EntityName;
  readonly operation: string;
  readonly reply: Reply;
}

export interface AreaFacts {
  readonly area: Area;
  readonly baseUrl: string;
  readonly rules: readonly ReplyRule[];
  readonly finds: readonly TriedFind[];
  /** Why no Find was sent; null: some were. */
  readonly untried: string | null;
}

/** A column that the query returns. */
export interface ResultColumn {
  readonly name: string;
  /** As SQL shows it: `character varying(40)`. */
  readonly type: string;
}

/** What EXPLAIN says of the version pass and of the row pass. */
export interface PlanFacts {
  readonly tables: readonly CatalogTable[];
  readonly scans: readonly RepeatedScan[];
}

/** A column of a table that looks like publication or deletion, and what stands in it. */
export interface FlagColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Its values with their numbers of rows; null: not read, or too many. */
  readonly values: readonly { readonly value: string | null; readonly count: number }[] | null;
}

/** What joins leave out, and which parts of the query could not be looked at. */
export interface JoinFacts {
  readonly losses: readonly JoinLoss[];
  readonly unseen: readonly string[];
}

/** A join that leaves rows of the base table out. */
export interface JoinLoss {
  readonly base: string;
  readonly join: string;
  /** Whatever the query may call what is joined. */
  readonly names: readonly string[];
  /** Tables with commas between them, or CROSS JOIN. */
  readonly isList: boolean;
  readonly count: number;
  readonly sample: readonly string[];
}

/** A column with the last day of a record, of a type whose day depends on the time zone. */
export interface DayFacts {
  readonly column: string;
  readonly count: number;
  readonly sample: readonly string[];
  readonly zones: readonly [string, string];
}

/** What depends on the session's time zone. */
export interface ZoneFacts {
  readonly columns: readonly string[];
  /** Whether the zone decides which rows there are. */
  readonly isSelective: boolean;
  /** Rows that differ between these zones, and keys of some. */
  readonly zones: readonly [string, string];
  readonly count: number;
  readonly sample: readonly string[];
}

export interface EntityFacts {
  readonly entity: DoctorEntity;
  readonly shape: QueryShape;
  readonly columns: Learned<readonly ResultColumn[]>;
  readonly plan: Learned<PlanFacts>;
  readonly flags: Learned<readonly FlagColumn[]>;
  readonly losses: Learned<JoinFacts>;
  readonly day: Learned<DayFacts | null>;
  /** Null: nothing depends on the session's zone. */
  readonly zones: Learned<ZoneFacts | null>;
  /** Whether two plans gave the same rows. */
  readonly stable: Learned<boolean>;
  readonly rows: Learned<RowFacts>;
}

/** All of an entity but its rows. */
export type EntityInspection = Omit<EntityFacts, 'rows'>;

export interface DoctorFacts {
  readonly settings: DoctorSettings;
  readonly source: Learned<SourceFacts>;
  readonly state: Learned<StateFacts>;
  readonly areas: readonly AreaFacts[];
  readonly entities: readonly EntityFacts[];
}

/** What doctor needs from outside; composed in cli. */
export interface DoctorPorts {
  readonly source: Source;
  /** The partner's SQL without its semicolon; SyncError for one that is not one SELECT. */
  readonly prepareQuery: (query: EntityQuery) => string;
  /** The state of the ledger, without changing anything. */
  readonly readState: () => Promise<Learned<StateFacts>>;
  /** The platform ids of applications by the rows' keys; null: not in the inbox. */
  readonly findApplications: (
    entity: DoctorEntity,
    rows: readonly SourceRow[],
  ) => Promise<Learned<ReadonlyMap<string, string | null>>>;
  /** One Find of each kind of the area, with an id that nobody has. */
  readonly tryArea: (area: Area) => Promise<AreaFacts>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Does a part of the work, and shows meanwhile what it is. */
  readonly during: <T>(work: string, task: () => Promise<T>) => Promise<T>;
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

interface Around {
  readonly times: number;
  readonly outer: string | null;
  readonly conditions: readonly string[];
  /** Whether something outside of it repeats it. */
  readonly repeated: boolean;
}

/** A materialised result is read again from memory: a tenth of the work of a table. */
const OF_MEMORY = 0.1;

/**
 * The whole reads of tables within loops: the inner side of a nested loop, and subqueries that depend on the outer row.
 * Counts with the real size of the outer table, because EXPLAIN's estimates of a condition are often wrong by a
 * factor of a hundred. Pure.
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

const START: Around = { times: 1, outer: null, conditions: [], repeated: false };

/** A subquery that is read once, into a hash table. */
function isHashed(node: PlanNode, child: PlanNode): boolean {
  const name = child['Subplan Name'];
  return (
    name !== undefined && [...conditionsOf(node), ...(node.Output ?? [])].join(' ').includes(`hashed ${name}`)
  );
}

function readsAll(node: PlanNode): boolean {
  return /Seq Scan|Index Only Scan|Index Scan/.test(node['Node Type']) && node['Index Cond'] === undefined;
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

function conditionsOf(node: PlanNode): readonly string[] {
  return [node.Filter, node['Join Filter']].filter((text) => text !== undefined);
}

/** The column of this table that a condition compares with another one. */
function columnOf(alias: string, conditions: readonly string[]): string | null {
  const name = alias.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const reference = `\\(?"?${name}"?\\."?([A-Za-z_][\\w$]*)"?\\)?(?:::[\\w ]+)?`;
  for (const condition of conditions) {
    const match =
      new RegExp(`${reference} = `).exec(condition) ?? new RegExp(` = ${reference}`).exec(condition);
    if (match?.[1] !== undefined) return match[1];
  }
  return null;
}

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

/** Every table that a plan reads, each once. Pure. */
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
