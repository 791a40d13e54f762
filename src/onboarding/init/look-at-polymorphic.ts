import type { Catalog, CatalogColumn, CatalogTable, TestedLink } from '../catalog/catalog.js';
import { groupedBy } from '../catalog/read-catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { bareName, guessKey, isProved, KEY_WORDS } from './links.js';
import { SKILL_WORDS } from './rank-tables.js';
import { literal } from './sql-text.js';
import { findStem, isAboutPeople, isPersonalColumn, wordsOf } from './words.js';

const MOST_TYPES = 40;
/** Each is a statement or two. */
const MOST_LOOKS = 300;
/** Tables whose keys are compared where a type is called like none. */
const UNNAMED = 6;
const KEYS = new Set(['integer', 'text', 'uuid']);
/** What the rows of one table are for: `context`, `collection_name`. */
const PURPOSE =
  /^(context|purpose|collection|collection_name|group|group_name|parentfield|field|kind|category|role|usage)$/;
/** Further down than any oid, and than the tables that are made of names. */
const FIRST = -1_000;

/**
 * The catalogue with a table of its own for each sort of row that a table of several parents has: the addresses of companies
 * out of `addresses` with `owner_type` and `owner_id`. Its text is the table with a condition on the type. Reads names of
 * types with their counts, and counts whose ids are keys of the tables that these name.
 *
 * @param near tables that may be of an entity
 */
export async function withPolymorphic(
  read: ReadOnly,
  catalog: Catalog,
  near: ReadonlySet<number>,
): Promise<Catalog> {
  const known = catalog.tables.filter((table) => table.selectable && !isAboutPeople(table));
  const records = known.filter(({ oid }) => near.has(oid));
  const tables: CatalogTable[] = [];
  const tested: TestedLink[] = [];
  let looks = 0;
  for (const table of known)
    for (const pair of polymorphicPairs(table))
      for (const type of await namesOf(read, table, pair.type, null)) {
        const others = records.filter(({ oid }) => oid !== table.oid);
        const called = others.filter((to) => isCalled(to, type));
        for (const to of called.length > 0 ? called : others.slice(0, UNNAMED)) {
          if ((looks += 1) > MOST_LOOKS) break;
          const made = await ofType(read, table, pair, type, to, FIRST - tables.length);
          if (!made) continue;
          tables.push(made.table);
          tested.push(made.link, ...(await otherEnds(read, made.table, known)));
        }
      }
  return {
    ...catalog,
    tables: [...catalog.tables, ...tables],
    tested: [...(catalog.tested ?? []), ...tested],
  };
}

async function ofType(
  read: ReadOnly,
  table: CatalogTable,
  { type, id }: PolymorphicPair,
  name: string,
  to: CatalogTable,
  oid: number,
): Promise<{ readonly table: CatalogTable; readonly link: TestedLink } | null> {
  const key = to.columns.find((column) => to.primaryKey?.length === 1 && column.name === to.primaryKey[0]);
  const called = isCalled(to, name);
  // Numbers are keys of every table: there the name has to say so.
  if (!key || (!called && (id.kind !== key.kind || id.kind === 'integer')) || !KEYS.has(key.kind))
    return null;
  const condition = `${type.sqlName} = ${literal(name)}`;
  const { column, sqlName } = sameKind(id, key, table, condition);
  const rows = { ...table, sqlName };
  const answer = await read.attempt<{ values: string; found: string }>(
    testSql({ from: rows, column, to, toColumn: key, least: 1 }),
  );
  const [row] = 'rows' in answer ? answer.rows : [];
  const share = { values: Number(row?.values ?? 0), found: Number(row?.found ?? 0) };
  if (!isProved(share) || (!called && share.values < 5)) return null;
  const purpose = await skillPurpose(read, rows);
  const parts = [type.name, ...(purpose ? [purpose.column.name] : [])];
  const kept = rows.columns.filter(({ name: each }) => !parts.includes(each));
  return {
    table: {
      ...table,
      oid,
      name: purpose ? `${table.name}_${purpose.value}` : table.name,
      // Its last character ends the condition.
      sqlName: purpose
        ? `${sqlName.slice(0, -1)} and ${purpose.column.sqlName} = ${literal(purpose.value)})`
        : sqlName,
      comment: `${table.title} with ${type.name} ${literal(name)}`,
      rows: null,
      exact: false,
      columns: column === id ? kept : [...kept, column],
      uniqueKeys: table.uniqueKeys.map((columns) => columns.filter((each) => !parts.includes(each))),
      referencedBy: [],
      polymorphic: true,
    },
    link: { from: oid, column: column.name, to: to.oid, toColumn: key.name, ...share },
  };
}

/** Where the rows name another record by type and id, too, and all of one sort: a link to that sort's table. */
async function otherEnds(
  read: ReadOnly,
  table: CatalogTable,
  known: readonly CatalogTable[],
): Promise<readonly TestedLink[]> {
  const found: TestedLink[] = [];
  for (const { type, id } of polymorphicPairs(table)) {
    const [name, ...others] = await namesOf(read, table, type, 'p');
    const to =
      name === undefined || others.length > 0 ? undefined : known.find((each) => isCalled(each, name));
    const key = to?.columns.find(
      (column) => to.primaryKey?.length === 1 && column.name === to.primaryKey[0] && column.kind === id.kind,
    );
    if (!to || !key) continue;
    const answer = await read.attempt<{ values: string; found: string }>(
      testSql({ from: table, column: id, to, toColumn: key, least: 1 }),
    );
    const [row] = 'rows' in answer ? answer.rows : [];
    const share = { values: Number(row?.values ?? 0), found: Number(row?.found ?? 0) };
    if (isProved(share))
      found.push({ from: table.oid, column: id.name, to: to.oid, toColumn: key.name, ...share });
  }
  return found;
}

/** An id as text beside a key that is a number: cast only where the type says that it is one. */
function sameKind(id: CatalogColumn, key: CatalogColumn, table: CatalogTable, condition: string) {
  const rows = `from ${table.sqlName} where ${condition}`;
  if (id.kind === key.kind) return { column: id, sqlName: `(select * ${rows})` };
  const name = `${id.name}_of_key`;
  const sqlName = `"${name.replaceAll('"', '""')}"`;
  return {
    column: { ...id, name, sqlName, kind: key.kind, type: key.type },
    sqlName: `(select *, case when ${condition} then cast(${id.sqlName} as ${key.type}) end as ${sqlName} ${rows})`,
  };
}

/** `App\Models\Job`, `hr.job` and `Job Opening` are called like `jobs`, `hr_job` and `tabJob Opening`. */
function isCalled({ name }: CatalogTable, type: string): boolean {
  const own = [bareName(name), wordsOf(name).join('_')];
  return [/[\\/:]+/, /[\\/:.]+/].some((parting) => {
    const last = type.split(parting).at(-1) ?? '';
    return own.includes(bareName(last)) || own.includes(wordsOf(last).join('_'));
  });
}

/** The purpose that means skills, where rows of one table have several. */
async function skillPurpose(
  read: ReadOnly,
  table: CatalogTable,
): Promise<{ readonly column: CatalogColumn; readonly value: string } | null> {
  const column = table.columns.find(
    ({ name, kind, selectable }) =>
      selectable && kind === 'text' && !isPersonalColumn(name) && PURPOSE.test(wordsOf(name).join('_')),
  );
  if (!column) return null;
  const values = await namesOf(read, table, column, 'p');
  const value = values.find((each) => findStem(wordsOf(each), SKILL_WORDS) >= 0);
  return value === undefined ? null : { column, value };
}

/** Values of a column that names sorts; none where they are so many that it does not. */
async function namesOf(
  read: ReadOnly,
  { sqlName: table }: CatalogTable,
  { sqlName }: CatalogColumn,
  alias: string | null,
): Promise<readonly string[]> {
  const answer = await read.attempt<{ name: string }>(
    `select left(cast(${sqlName} as text), 120) as name from ${table} ${alias ?? ''} where ${sqlName} is not null
     group by 1 order by count(*) desc, 1 limit ${String(MOST_TYPES + 1)}`,
  );
  if ('refused' in answer || answer.rows.length > MOST_TYPES) return [];
  return answer.rows.map(({ name }) => name);
}

/** Two columns that name a row of any table: what it is, and which. */
interface PolymorphicPair {
  readonly type: CatalogColumn;
  readonly id: CatalogColumn;
}

const TYPE = /^(.*?)_?(?:type|class|model|doctype|entity|table)$/;
/** Here an owner is a record. */
const OWNER = /^owner/i;
const IDS = new Set(['integer', 'text', 'uuid']);
/** The id beside a type without name of its own: `model` and `res_id`. */
const PLAIN = ['object', 'record', 'res', 'item', 'entity', 'model', 'foreign'];

/** `owner_type` and `owner_id`, `parenttype` and `parent`, `link_doctype` and `link_name`. */
function polymorphicPairs({ columns, foreignKeys }: CatalogTable): readonly PolymorphicPair[] {
  const linked = new Set(foreignKeys.flatMap((key) => key.columns));
  const usable = columns.filter(
    ({ name, selectable }) =>
      selectable && !linked.has(name) && (OWNER.test(name) || !isPersonalColumn(name)),
  );
  return usable.flatMap((type): PolymorphicPair[] => {
    const prefix = TYPE.exec(plain(type))?.[1];
    if (prefix === undefined || !['text', 'enum'].includes(type.kind)) return [];
    const prefixes = PLAIN.includes(prefix) || prefix === '' ? [prefix, ...PLAIN] : [prefix];
    const names = prefixes
      .filter(Boolean)
      .flatMap((one) =>
        ['id', 'key', 'uuid', 'name', 'no', 'pk', ''].flatMap((end) => [`${one}_${end}`, `${one}${end}`]),
      );
    const id = usable.find(
      (column) => column !== type && IDS.has(column.kind) && names.includes(plain(column)),
    );
    return id ? [{ type, id }] : [];
  });
}

function plain({ name }: CatalogColumn): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}

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
function testSql({ from, column, to, toColumn }: LinkCandidate): string {
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

/** A link that the values have to show. */
interface LinkCandidate {
  readonly from: CatalogTable;
  readonly column: CatalogColumn;
  readonly to: CatalogTable;
  readonly toColumn: CatalogColumn;
  /** Different values that the column has to have: few are enough where the names agree. */
  readonly least: number;
}

const LINKING = new Set(['integer', 'text', 'uuid']);
const NAME = /^(name|nama|nm|title|judul|code|kode|slug|.*_(name|nama|code|kode)|(nama|kode)_.*)$/;
/** Of each sort: each is a statement. */
const MOST = 250;
const MOST_NAMESAKES = 20;
/** Few values may be those of another table by chance. */
const WITHOUT_NAMES = 3;

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
  const nearFirst = [...tables].sort((a, b) => Number(near.has(b.oid)) - Number(near.has(a.oid)));
  const byName = groupedBy(nearFirst, ({ name }) => squeezed(bareName(name)));
  // Where each customer has a schema, a thousand tables are called alike.
  const called = (name: string) => byName(name).slice(0, MOST_NAMESAKES);
  const named = tables.flatMap((from) =>
    freeColumns(from).flatMap((column) =>
      [...new Set(meanings(from, column.name).flatMap(called))].flatMap((to) => aims(from, column, to, 1)),
    ),
  );
  const valued = pairs.flatMap(({ child, parents }) =>
    freeColumns(child)
      .filter(({ kind }) => kind !== 'integer')
      .flatMap((column) => parents.flatMap((to) => aims(child, column, to, WITHOUT_NAMES))),
  );
  const distance = ({ from, to }: LinkCandidate) => (near.has(from.oid) ? 0 : 1) + (near.has(to.oid) ? 0 : 1);
  const nearest = (some: readonly LinkCandidate[]) =>
    [...some].sort((a, b) => distance(a) - distance(b)).slice(0, MOST);
  return [...nearest(named), ...nearest(valued)];
}

function freeColumns(from: CatalogTable): readonly CatalogColumn[] {
  const linked = new Set(from.foreignKeys.flatMap(({ columns }) => columns));
  return from.columns.filter(
    ({ name, kind, selectable }) =>
      selectable &&
      LINKING.has(kind) &&
      !linked.has(name) &&
      from.primaryKey?.join() !== name &&
      !isPersonalColumn(name),
  );
}

/** What a column may be called after: `companyid`, `course_company_id` and `company` mean `company`. */
function meanings(from: CatalogTable, column: string): readonly string[] {
  const words = wordsOf(column);
  const plain = words.filter((word) => !KEY_WORDS.has(word));
  const whole = squeezed(words.join('_'));
  const stripped = whole.replace(/(id|uuid|code|kode|key|no)$/, '').replace(/^(id|kode|kd)(?=.{3})/, '');
  const own = squeezed(bareName(from.name));
  const names = [plain.join(''), whole, stripped, plain.at(-1) ?? '', own + plain.join('')];
  return [...new Set(names)].filter((name) => name.length > 2);
}

/** The key of a table, and what its rows are called by. */
function aims(
  from: CatalogTable,
  column: CatalogColumn,
  to: CatalogTable,
  least: number,
): readonly LinkCandidate[] {
  if (to.oid === from.oid) return [];
  const key = to.primaryKey?.length === 1 ? to.primaryKey[0] : guessKey(to);
  return to.columns
    .filter(
      ({ name, kind, selectable }) =>
        selectable &&
        kind === column.kind &&
        (name === key ||
          to.uniqueKeys.some((columns) => columns.length === 1 && columns[0] === name) ||
          (kind === 'text' && NAME.test(wordsOf(name).join('_')))) &&
        !isPersonalColumn(name),
    )
    .sort((a, b) => (a.name === key ? 0 : 1) - (b.name === key ? 0 : 1))
    .map((toColumn) => ({ from, column, to, toColumn, least }));
}

function squeezed(name: string): string {
  return name.replaceAll('_', '');
}
