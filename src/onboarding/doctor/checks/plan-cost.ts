import type { CatalogTable } from '../../catalog/catalog.js';
import { entityCheck } from '../check.js';
import { fail, pass, warn, type Verdict } from '../finding.js';
import { judged } from '../learned.js';
import type { RepeatedScan } from '../repeated-scans.js';
import type { QueryShape } from '../sql/query-shape.js';

/** Rows looked at in a loop that take about a tenth of a second; below, nobody notices. */
const NOTABLE_ROWS = 1_000_000;
/** A few minutes. */
const TOO_MANY_ROWS = 4_000_000_000;
/** Tables that are named: partitions of one may be many. */
const MOST_TABLES = 10;
/** A table that has grown is slow without an index, whatever it is today. */
const GROWING_ROWS = 100;

export const planCost = entityCheck({
  id: 'plan-cost',
  levels: ['warn', 'fail'],
  looksAt:
    'the plans of the version pass and the row pass before they run: tables that are read as a whole for each row of another one, LATERAL on a foreign key without index',
  remedy:
    '`create index` on the column that is named, or join a GROUP BY instead of a LATERAL or a subquery per row.',
  judge: ({ shape, plan, rows }) =>
    judged(plan, ({ scans, tables }) => {
      const verdicts = scans.flatMap((scan) => verdictOf(scan, tables, shape) ?? []).slice(0, MOST_TABLES);
      // The plan does not show why the query is slow.
      const isSlow = 'value' in rows && rows.value.extent !== 'all';
      return verdicts.length > 0 || isSlow ? verdicts : [pass('no table is read again and again')];
    }),
});

function verdictOf(scan: RepeatedScan, tables: readonly CatalogTable[], shape: QueryShape): Verdict | null {
  const table = tables.find(({ schema, name }) => schema === scan.schema && name === scan.name);
  const column = scan.column ?? onlyForeignKey(table);
  const indexed =
    column !== null && table?.indexes.some(({ columns, partial }) => columns[0] === column && !partial);
  const looked = scan.times * scan.rows;
  const grows =
    column !== null &&
    indexed === false &&
    table !== undefined &&
    scan.rows >= GROWING_ROWS &&
    scan.times >= GROWING_ROWS;
  if (looked < NOTABLE_ROWS && !grows) return null;

  const name = table?.title ?? `${scan.schema}.${scan.name}`;
  const times = Math.round(scan.times).toLocaleString('en-US');
  const outer = scan.outer === null ? '' : ` (rows of ${scan.outer})`;
  const lateral = shape.selects.some(({ joins }) => joins.some((join) => join.lateral))
    ? ' in a LATERAL'
    : '';
  const missing = column === null ? '' : indexed ? '' : `; ${column} has no index`;
  const message = `${name} (${scan.rows.toLocaleString('en-US')} rows) is read as a whole up to ${times} times${outer}${lateral}${missing}`;
  const verdict = looked >= TOO_MANY_ROWS ? fail : warn;
  return verdict(message, hintOf(name, column, indexed === true));
}

function hintOf(table: string, column: string | null, indexed: boolean): string {
  if (column === null)
    return `Read ${table} once: with … as (select …, … from ${table} group by …), and join that.`;
  const grouped = `left join (select ${column}, string_agg(…, ',' order by …) as … from ${table} group by ${column}) x on x.${column} = …`;
  return indexed
    ? `Read it once: ${grouped}`
    : `create index on ${table} (${column}); or read it once: ${grouped}`;
}

/** The column of a foreign key, where the plan does not show the condition. */
function onlyForeignKey(table: CatalogTable | undefined): string | null {
  const [key, second] = table?.foreignKeys ?? [];
  return key !== undefined && second === undefined && key.columns.length === 1
    ? (key.columns[0] ?? null)
    : null;
}
