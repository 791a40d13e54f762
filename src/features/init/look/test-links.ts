import {
  type CatalogColumn,
  type CatalogTable,
  foreignColumns,
  isUnique,
  type TestedLink,
} from '../../catalog/catalog.js';
import { groupedBy } from '../../catalog/read-catalog.js';
import { onlyRow, type ReadOnly } from '../../catalog/with-read-only.js';
import { bareName, isProved, KEY_WORDS, singleKey } from '../links.js';
import { isReadable, plainName, wordsOf } from '../words.js';

/**
 * Finds out which columns name which tables where no foreign key says so. `linkCandidates` collects what names and
 * types allow, the likeliest first; `testLinks` lets the database count how many of a column's values the other
 * column has. What is proved becomes a link (`links.ts`).
 */

/**
 * Columns that may name another table, although no foreign key says so: called like it, in one word or several
 * (`companyid`, `id_perusahaan`, `company`), and texts or UUIDs of records against the keys and names of their parents,
 * whatever they are called. The likeliest first.
 *
 * @param near tables that may be of an entity
 * @param pairs which table's texts may name which parents
 */
export function linkCandidates(
  tables: readonly CatalogTable[],
  near: ReadonlySet<number>,
  pairs: readonly { readonly child: CatalogTable; readonly parents: readonly CatalogTable[] }[],
): readonly LinkCandidate[] {
  const isNear = ({ oid }: CatalogTable) => Number(near.has(oid));
  const nearFirst = tables.toSorted((a, b) => isNear(b) - isNear(a));
  const byName = groupedBy(nearFirst, ({ name }) => squeezed(bareName(name)));
  // A prefix that the application puts before all names is not part of what its columns are called.
  const byEnd = groupedBy(
    nearFirst.filter((table) => isNear(table) === 1),
    ({ name }) => wordsOf(name).at(-1) ?? '',
  );
  const named = nearFirst.flatMap((from) =>
    freeColumns(from).flatMap((column) => {
      // Where each customer has a schema, a thousand tables are called alike.
      const to = meanings(from, column.name).flatMap((name) =>
        [...byName(name), ...byEnd(name)].slice(0, MOST_NAMESAKES),
      );
      return [...new Set(to)].flatMap((each) => aims(from, column, each, 1));
    }),
  );
  const valued = pairs.flatMap(({ child, parents }) =>
    freeColumns(child)
      .filter(({ kind }) => kind !== 'integer')
      .flatMap((column) => parents.flatMap((to) => aims(child, column, to, WITHOUT_NAMES))),
  );
  const nearest = named.toSorted((a, b) => isNear(b.from) + isNear(b.to) - isNear(a.from) - isNear(a.to));
  return [...nearest.slice(0, MOST), ...valued.slice(0, MOST)];
}

/** Of each sort: each is a statement. */
const MOST = 250;
const MOST_NAMESAKES = 20;
/** Few values may be those of another table by chance. */
const WITHOUT_NAMES = 3;

/** A link that the values have to show. */
interface LinkCandidate {
  readonly from: CatalogTable;
  readonly column: CatalogColumn;
  readonly to: CatalogTable;
  readonly toColumn: CatalogColumn;
  /** Different values that the column has to have: few are enough where the names agree. */
  readonly least: number;
}

function freeColumns(from: CatalogTable): readonly CatalogColumn[] {
  const linked = foreignColumns(from);
  return from.columns.filter(
    (column) =>
      isReadable(column) &&
      LINKING.has(column.kind) &&
      !linked.has(column.name) &&
      from.primaryKey?.join() !== column.name,
  );
}

const LINKING = new Set(['integer', 'text', 'uuid']);

/** What a column may be called after: `companyid`, `course_company_id` and `company` mean `company`. */
function meanings(from: CatalogTable, column: string): readonly string[] {
  const words = wordsOf(column);
  const plain = words.filter((word) => !KEY_WORDS.has(word));
  const whole = words.join('');
  const stripped = whole.replace(/(id|uuid|code|kode|key|no)$/, '').replace(/^(id|kode|kd)(?=.{3})/, '');
  const names = [
    plain.join(''),
    whole,
    stripped,
    plain.at(-1) ?? '',
    squeezed(bareName(from.name)) + plain.join(''),
  ];
  return [...new Set(names)].filter((name) => name.length > 2);
}

function squeezed(name: string): string {
  return name.replaceAll('_', '');
}

/** The key of a table, and what its rows are called by. */
function aims(
  from: CatalogTable,
  column: CatalogColumn,
  to: CatalogTable,
  least: number,
): readonly LinkCandidate[] {
  if (to.oid === from.oid) return [];
  const key = singleKey(to);
  // A view of the table itself.
  if (to.kind.includes('view') && singleKey(from) === column.name) return [];
  return to.columns
    .filter(
      (aim) =>
        isReadable(aim) &&
        aim.kind === column.kind &&
        (aim.name === key ||
          isUnique(to, aim.name) ||
          (aim.kind === 'text' && NAME.test(plainName(aim.name)))),
    )
    .sort((a, b) => (a.name === key ? 0 : 1) - (b.name === key ? 0 : 1))
    .map((toColumn) => ({ from, column, to, toColumn, least }));
}

const NAME = /^(name|nama|nm|title|judul|code|kode|slug|.*_(name|nama|code|kode)|(nama|kode)_.*)$/;

/**
 * Looks whether values of each column are in the column that it may name: the database counts them, and none leaves it. A
 * column names one other at most, the first that has its values. Only columns whose values never occur twice can be named, so
 * that a join multiplies no row.
 */
export async function testLinks(
  read: ReadOnly,
  candidates: readonly LinkCandidate[],
): Promise<readonly TestedLink[]> {
  const tested = new Map<string, TestedLink>();
  for (const candidate of candidates) {
    const { from, column, to, toColumn, least } = candidate;
    const name = `${from.oid} ${column.name}`;
    const known = tested.get(name);
    if (known && (isProved(known) || known.values === 0)) continue;
    const row = await onlyRow(read, testSql(candidate));
    if (row.values === undefined) continue;
    const values = Number(row.values);
    const found = row.once === true && values >= least ? Number(row.found) : 0;
    if (known && found <= known.found) continue;
    const names = { from: from.oid, column: column.name, to: to.oid, toColumn: toColumn.name };
    tested.set(name, { ...names, values, found });
  }
  return [...tested.values()];
}

/** One row: different values, how many are there, and whether each occurs once. In numbers, 0 means none. */
function testSql({ from, column, to, toColumn }: LinkCandidate): string {
  const some = column.kind === 'integer' ? `f.${column.sqlName} <> 0` : `f.${column.sqlName} is not null`;
  const filled = column.kind === 'text' ? `btrim(f.${column.sqlName}) <> ''` : some;
  const once = isUnique(to, toColumn.name)
    ? 'true'
    : `(select count(*) = count(distinct u.v) from (select t.${toColumn.sqlName} as v from ${to.sqlName} t where t.${toColumn.sqlName} is not null limit ${COMPARED}) u)`;
  return `with s as materialized (select distinct r.v from (select f.${column.sqlName} as v from ${from.sqlName} f where ${filled} limit ${ROWS}) r limit ${VALUES})
    select (select count(*) from s) as values,
      (select count(*) from s where s.v in (select t.${toColumn.sqlName} from ${to.sqlName} t)) as found, ${once} as once`;
}

/** Different values of a column that are looked for, out of this many rows. */
const VALUES = 200;
const ROWS = 5_000;
/** Of a column that is not unique by its definition. */
const COMPARED = 20_000;
