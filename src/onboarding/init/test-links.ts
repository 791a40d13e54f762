import type { TestedLink } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import type { LinkCandidate } from './link-candidates.js';
import { isProved } from './links.js';

/** Different values of a column that are looked for, out of this many rows. */
const VALUES = 200;
const ROWS = 5_000;
/** Of a column that is not unique by its definition. */
const COMPARED = 20_000;

/**
 * Looks whether values of each column are in the column that it may name: the database counts them, and none leaves it. A
 * column names one other at most, the first that has its values. Only columns whose values occur once can be named, so
 * that no join multiplies rows.
 */
export async function testLinks(
  read: ReadOnly,
  candidates: readonly LinkCandidate[],
): Promise<readonly TestedLink[]> {
  const tested = new Map<string, TestedLink>();
  for (const candidate of candidates) {
    const { from, column, to, toColumn, least } = candidate;
    const name = `${String(from.oid)} ${column.name}`;
    const known = tested.get(name);
    if (known && (isProved(known) || known.values === 0)) continue;
    const answer = await read.attempt<{ values: string; found: string; once: boolean | null }>(
      testSql(candidate),
    );
    const [row] = 'rows' in answer ? answer.rows : [];
    if (row === undefined) continue;
    const values = Number(row.values);
    const usable = row.once === true && (values >= least || values === 0);
    const found = usable ? Number(row.found) : 0;
    if (known && found <= known.found) continue;
    tested.set(name, {
      from: from.oid,
      column: column.name,
      to: to.oid,
      toColumn: toColumn.name,
      values,
      found,
    });
  }
  return [...tested.values()];
}

/** One row: different values, how many of them are there, and whether those occur once. In numbers, 0 means none. */
export function testSql({ from, column, to, toColumn }: LinkCandidate): string {
  const some = column.kind === 'integer' ? `f.${column.sqlName} <> 0` : `f.${column.sqlName} is not null`;
  const filled = column.kind === 'text' ? `btrim(f.${column.sqlName}) <> ''` : some;
  const own = to.uniqueKeys.some((columns) => columns.length === 1 && columns[0] === toColumn.name);
  const once = own
    ? 'true'
    : `(select count(*) = count(distinct u.v) from (select t.${toColumn.sqlName} as v from ${to.sqlName} t where t.${toColumn.sqlName} is not null limit ${String(COMPARED)}) u)`;
  return `with s as materialized (select distinct r.v from (select f.${column.sqlName} as v from ${from.sqlName} f where ${filled} limit ${String(ROWS)}) r limit ${String(VALUES)})
    select (select count(*) from s) as values,
      (select count(*) from s where s.v in (select t.${toColumn.sqlName} from ${to.sqlName} t)) as found, ${once} as once`;
}
