import type { CatalogTable } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import { SAMPLES } from '../rows/counted.js';
import type { NamedColumns } from '../sql/condition-kinds.js';
import { attempted } from './attempted.js';

/** The table, CTE or subquery whose rows are counted. */
export interface Subject {
  /** With alias, as FROM takes it. */
  readonly sql: string;
  /** Null: a CTE, a subquery or a function. */
  readonly table: CatalogTable | null;
  readonly named: NamedColumns;
}

export interface LostQuestion {
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
export async function countLost(
  read: Pick<ReadOnly, 'attempt'>,
  { prefix, subject, from, own, joining }: LostQuestion,
): Promise<{ readonly count: number; readonly sample: readonly string[] }> {
  const { table, named } = subject;
  const alias = quoted(named.alias);
  const primaryKey = table?.primaryKey ?? null;
  const columns = primaryKey?.map((column) => `${alias}.${quoted(column)}`) ?? [];
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
