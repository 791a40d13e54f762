import { escapeIdentifier } from 'pg';
import {
  type Catalog,
  type CatalogColumn,
  type CatalogTable,
  columnOf,
  foreignColumns,
  type TestedLink,
} from '../../catalog/catalog.js';
import type { ReadOnly } from '../../../source/with-read-only.js';
import { bareName, isProved } from '../links.js';
import { literal } from '../sql-text.js';
import {
  findStem,
  isAboutPeople,
  isPersonalColumn,
  isReadable,
  plainName,
  SKILL_WORDS,
  wordsOf,
} from '../words.js';
import { shareOf } from './test-links.js';

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

/** Each is a statement or two. */
const MOST_LOOKS = 300;
/** Tables whose keys are compared where a type is called like none. */
const UNNAMED = 6;
/** Further down than any oid, and than the tables that are made of names. */
const FIRST = -1_000;

/** Two columns that name a row of any table: what it is, and which. */
interface PolymorphicPair {
  readonly type: CatalogColumn;
  readonly id: CatalogColumn;
}

/** `owner_type` and `owner_id`, `parenttype` and `parent`, `link_doctype` and `link_name`. */
function polymorphicPairs(table: CatalogTable): readonly PolymorphicPair[] {
  const linked = foreignColumns(table);
  const usable = table.columns.filter(
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
      (column) => column !== type && KEYS.has(column.kind) && names.includes(plain(column)),
    );
    return id ? [{ type, id }] : [];
  });
}

const TYPE = /^(.*?)_?(?:type|class|model|doctype|entity|table)$/;
/** Here an owner is a record. */
const OWNER = /^owner/i;
/** The id beside a type without name of its own: `model` and `res_id`. */
const PLAIN = ['object', 'record', 'res', 'item', 'entity', 'model', 'foreign'];

function plain({ name }: CatalogColumn): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
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
     group by 1 order by count(*) desc, 1 limit ${MOST_TYPES + 1}`,
  );
  if ('refused' in answer || answer.rows.length > MOST_TYPES) return [];
  return answer.rows.map(({ name }) => name);
}

const MOST_TYPES = 40;

/** `App\Models\Job`, `hr.job` and `Job Opening` are called like `jobs`, `hr_job` and `tabJob Opening`. */
function isCalled({ name }: CatalogTable, type: string): boolean {
  const own = [bareName(name), plainName(name)];
  return [/[\\/:]+/, /[\\/:.]+/].some((parting) => {
    const last = type.split(parting).at(-1) ?? '';
    return own.includes(bareName(last)) || own.includes(plainName(last));
  });
}

async function ofType(
  read: ReadOnly,
  table: CatalogTable,
  { type, id }: PolymorphicPair,
  name: string,
  to: CatalogTable,
  oid: number,
): Promise<{ readonly table: CatalogTable; readonly link: TestedLink } | null> {
  const key = primaryColumn(to);
  const called = isCalled(to, name);
  // Numbers are keys of every table: there the name has to say so.
  if (!key || (!called && (id.kind !== key.kind || id.kind === 'integer')) || !KEYS.has(key.kind))
    return null;
  const condition = `${type.sqlName} = ${literal(name)}`;
  const { column, sqlName } = sameKind(id, key, table, condition);
  const rows = { ...table, sqlName };
  const share = await shareOf(read, { from: rows, column, to, toColumn: key, least: 1 });
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
      polymorphic: true,
    },
    link: { from: oid, column: column.name, to: to.oid, toColumn: key.name, ...share },
  };
}

/** What a key and a column that names it may be. */
const KEYS = new Set(['integer', 'text', 'uuid']);

function primaryColumn(table: CatalogTable): CatalogColumn | undefined {
  return table.primaryKey?.length === 1 ? columnOf(table, table.primaryKey[0]) : undefined;
}

/** An id as text beside a key that is a number: cast only where the type says that it is one. */
function sameKind(id: CatalogColumn, key: CatalogColumn, table: CatalogTable, condition: string) {
  const rows = `from ${table.sqlName} where ${condition}`;
  if (id.kind === key.kind) return { column: id, sqlName: `(select * ${rows})` };
  const name = `${id.name}_of_key`;
  const sqlName = escapeIdentifier(name);
  return {
    column: { ...id, name, sqlName, kind: key.kind, type: key.type },
    sqlName: `(select *, case when ${condition} then cast(${id.sqlName} as ${key.type}) end as ${sqlName} ${rows})`,
  };
}

/** The purpose that means skills, where rows of one table have several. */
async function skillPurpose(
  read: ReadOnly,
  table: CatalogTable,
): Promise<{ readonly column: CatalogColumn; readonly value: string } | null> {
  const column = table.columns.find(
    (each) => isReadable(each) && each.kind === 'text' && PURPOSE.test(plainName(each.name)),
  );
  if (!column) return null;
  const values = await namesOf(read, table, column, 'p');
  const value = values.find((each) => findStem(wordsOf(each), SKILL_WORDS) >= 0);
  return value === undefined ? null : { column, value };
}

/** What the rows of one table are for: `context`, `collection_name`. */
const PURPOSE =
  /^(context|purpose|collection|collection_name|group|group_name|parentfield|field|kind|category|role|usage)$/;

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
    const key = to && primaryColumn(to);
    if (!to || key?.kind !== id.kind) continue;
    const share = await shareOf(read, { from: table, column: id, to, toColumn: key, least: 1 });
    if (isProved(share))
      found.push({ from: table.oid, column: id.name, to: to.oid, toColumn: key.name, ...share });
  }
  return found;
}
