import { readerStatements } from '../../../core/source/reader.js';
import type { CatalogTable } from '../../catalog/catalog.js';
import { countRows } from '../../catalog/read-catalog.js';
import type { PlanFacts } from '../facts.js';
import {
  type PlannedTable,
  plannedTables,
  type PlanNode,
  type RepeatedScan,
  repeatedScans,
} from '../sql/plan.js';
import { attempted, type InspectContext, setParameter } from './inspect-context.js';

/** What EXPLAIN says of the version pass and of the row pass of `run`; neither is executed. */
export async function readPlan(context: InspectContext): Promise<PlanFacts> {
  const { read, catalog } = context;
  const { digest, allRows } = statementsOf(context);
  const plans: PlanNode[] = [];
  // The rows come by a cursor, which has no parallel plan.
  for (const pass of [digest, `declare row_pass no scroll cursor for ${allRows}`]) {
    const [row] = await attempted<Explained>(read, `explain (format json, verbose) ${pass}`);
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (plan) plans.push(plan);
  }
  const find = ({ schema, name }: PlannedTable): CatalogTable | undefined =>
    catalog.tables.find((table) => table.schema === schema && table.name === name);
  const found = plans.flatMap(plannedTables).map(find);
  const tables = [...new Set(found)].filter((table) => table !== undefined);
  // Only what the query reads is counted: the planner knows nothing of a table that was never analysed.
  const counts = await countRows(
    read,
    tables.flatMap((table) =>
      table.kind === 'foreign-table' ? [] : [{ ...table, estimate: table.rows ?? -1 }],
    ),
  );
  const rowsOf = (table: PlannedTable): number | null => {
    const known = find(table);
    return known === undefined ? null : (counts.get(known.oid)?.rows ?? known.rows);
  };
  return { tables, scans: worst(plans.flatMap((plan) => repeatedScans(plan, rowsOf))) };
}

function statementsOf({ from, columns, catalog: { server }, settings }: InspectContext) {
  return readerStatements({
    from,
    columns,
    timeZone: settings.source.timeZone,
    encoding: server.encoding,
    serverVersion: server.versionNumber,
  });
}

interface Explained extends Record<string, unknown> {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

/** Of each table the reading that costs most. */
function worst(scans: readonly RepeatedScan[]): readonly RepeatedScan[] {
  const found = new Map<string, RepeatedScan>();
  for (const scan of scans) {
    const key = JSON.stringify([scan.schema, scan.name, scan.column]);
    const known = found.get(key);
    if (known === undefined || known.times < scan.times) found.set(key, scan);
  }
  return [...found.values()].sort((a, b) => b.times * b.rows - a.times * a.rows);
}

/** Whether the version pass gives the same under two plans. */
export async function readStable(context: InspectContext): Promise<boolean> {
  const { read } = context;
  const { digest } = statementsOf(context);
  const digested = async () => JSON.stringify(await attempted(read, digest));
  const first = await digested();
  for (const setting of OTHER_PLAN) await setParameter(read, setting, 'off');
  try {
    return (await digested()) === first;
  } finally {
    for (const setting of OTHER_PLAN) await setParameter(read, setting, 'on');
  }
}

/** Other ways to the same rows. A query whose rows depend on the way would send unchanged records again. */
const OTHER_PLAN = ['enable_hashagg', 'enable_hashjoin'];
