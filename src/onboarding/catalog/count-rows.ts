import type { BareTable } from './read-tables.js';
import type { ReadOnly } from './with-read-only.js';

/** Counted up to here; beyond it the estimate of the statistics is good enough. */
const COUNTED = 10_000;
/** Tables in one statement: a round trip for each would take minutes over a slow network. */
const TOGETHER = 50;
/** Views and foreign tables may be slow, and there may be many: everything else needs time, too. */
const TIMES = { viewMs: 2_000, viewsMs: 30_000 };

type Countable = Pick<BareTable, 'oid' | 'kind' | 'sqlName' | 'selectable' | 'estimate'>;

export interface RowCount {
  readonly rows: number | null;
  readonly exact: boolean;
}

/**
 * The number of rows of each table, by oid. Reads no column: small tables and those that were never analysed are counted
 * to a limit, others have their estimate. A view has what it gives up to the limit, and no number where that fails
 * or takes too long: it has two seconds, and all of them have half a minute.
 */
export async function countRows(
  read: ReadOnly,
  tables: readonly Countable[],
  { viewMs, viewsMs } = TIMES,
): Promise<ReadonlyMap<number, RowCount>> {
  const result = new Map(estimates(tables));
  const count = async (some: readonly Countable[]): Promise<void> => {
    const answer = await read.attempt<{ oid: string; count: string }>(some.map(countSql).join(' union all '));
    if ('rows' in answer) {
      for (const { oid, count: counted } of answer.rows) {
        const table = some.find((each) => String(each.oid) === oid);
        if (table) result.set(table.oid, rowCount(table, Number(counted)));
      }
    } else if (some.length > 1) {
      // One of them refuses, or is slow: the others still count.
      const half = Math.ceil(some.length / 2);
      await count(some.slice(0, half));
      await count(some.slice(half));
    }
  };
  const counted = tables.filter((table) => table.selectable && isCounted(table));
  const plain = counted.filter((table) => !isView(table));
  for (let at = 0; at < plain.length; at += TOGETHER) await count(plain.slice(at, at + TOGETHER));
  const views = counted.filter(isView);
  if (views.length === 0) return result;
  const allowed = await statementTimeout(read);
  await setStatementTimeout(read, allowed === 0 ? viewMs : Math.min(viewMs, allowed));
  const last = Date.now() + viewsMs;
  for (const view of views) if (Date.now() < last) await count([view]);
  await setStatementTimeout(read, allowed);
  return result;
}

/** The number of rows of each table by the statistics. Pure. */
export function estimates(tables: readonly Countable[]): ReadonlyMap<number, RowCount> {
  return new Map(tables.map((table) => [table.oid, { rows: estimateOf(table), exact: false }]));
}

async function statementTimeout(read: ReadOnly): Promise<number> {
  const [row] = await read.run<{ ms: string }>(
    `select setting as ms from pg_catalog.pg_settings where name operator(pg_catalog.=) 'statement_timeout'`,
  );
  return Number(row?.ms ?? 0);
}

async function setStatementTimeout(read: ReadOnly, ms: number): Promise<void> {
  await read.run(`select pg_catalog.set_config('statement_timeout', $1, true)`, [String(ms)]);
}

function countSql({ oid, sqlName }: Countable): string {
  return `select '${String(oid)}' as oid, pg_catalog.count(*) as count from (select 1 from ${sqlName} limit ${String(COUNTED + 1)}) t`;
}

function isView({ kind }: Countable): boolean {
  return kind === 'view' || kind === 'foreign-table';
}

function isCounted(table: Countable): boolean {
  return isView(table) || table.estimate < COUNTED;
}

function rowCount(table: Countable, counted: number): RowCount {
  return counted > COUNTED
    ? { rows: Math.max(counted, Math.round(table.estimate)), exact: false }
    : { rows: counted, exact: true };
}

function estimateOf({ estimate }: Countable): number | null {
  return estimate < 0 ? null : Math.round(estimate);
}
