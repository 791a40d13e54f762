import type { BareTable } from './read-tables.js';
import type { ReadOnly } from './with-read-only.js';

/** Counted up to here; beyond it the estimate of the statistics is good enough. */
const COUNTED = 10_000;
/** Tables in one statement: a round trip for each would take minutes over a slow network. */
const TOGETHER = 50;

export interface RowCount {
  readonly rows: number | null;
  readonly exact: boolean;
}

/**
 * The number of rows of each table, by oid. Reads no column: small tables and those that were never analysed are counted
 * to a limit, others have their estimate. A view has what it gives up to the limit, and no number where that fails
 * or takes too long.
 */
export async function countRows(
  read: ReadOnly,
  tables: readonly BareTable[],
): Promise<ReadonlyMap<number, RowCount>> {
  const result = new Map<number, RowCount>(
    tables.map((table) => [table.oid, { rows: estimateOf(table), exact: false }]),
  );
  const count = async (some: readonly BareTable[]): Promise<void> => {
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
  const plain = counted.filter(({ kind }) => kind !== 'view' && kind !== 'foreign-table');
  for (let at = 0; at < plain.length; at += TOGETHER) await count(plain.slice(at, at + TOGETHER));
  for (const view of counted.filter((table) => !plain.includes(table))) await count([view]);
  return result;
}

function countSql({ oid, sqlName }: BareTable): string {
  return `select '${String(oid)}' as oid, pg_catalog.count(*) as count from (select 1 from ${sqlName} limit ${String(COUNTED + 1)}) t`;
}

function isCounted({ kind, estimate }: BareTable): boolean {
  return kind === 'view' || kind === 'foreign-table' || estimate < COUNTED;
}

function rowCount(table: BareTable, counted: number): RowCount {
  return counted > COUNTED
    ? { rows: Math.max(counted, Math.round(table.estimate)), exact: false }
    : { rows: counted, exact: true };
}

function estimateOf({ estimate }: BareTable): number | null {
  return estimate < 0 ? null : Math.round(estimate);
}
