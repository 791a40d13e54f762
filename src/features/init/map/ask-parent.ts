import type { ReadOnly } from '../../catalog/with-read-only.js';
import { grouped } from '../../../core/domain/text.js';
import { type CatalogColumn, type CatalogTable, rowsText } from '../../catalog/catalog.js';
import { type Draftable, draftable } from '../draftables.js';
import { countSample } from '../look/count-sample.js';
import { type Link, linksFrom } from '../links.js';
import { columnSql, NULL_TEXT, sqlOf } from '../sql-text.js';
import { findStem, isReadable, PLACES, type Stems, wordsOf } from '../words.js';
import type { Offer } from './draft-query.js';
import { labelSql } from './find-code.js';
import { fullName, type Place } from './scope.js';

/**
 * Records whose parents no table was chosen for: which company do these vacancies belong to? What the table has for it, a
 * column with names or the key of another table, is offered with its counts; one parent of all is the last of the offers.
 */

/** A parent that no table was found for: its query returns nothing until a person decides. */
export interface AskedParent {
  readonly entity: string;
  /** For the records below: each fills the column that names the parent. */
  readonly offers: readonly Offer[];
  /** Queries of the parents, one line each, in the same order. */
  readonly queries: readonly string[];
}

/** @param known links of the records' table, cities not among them */
export async function askParent(
  read: ReadOnly,
  { table, alias }: Place,
  child: Draftable,
  known: readonly Link[],
): Promise<AskedParent | null> {
  const relation = child.entity.parent;
  if (relation === null) return null;
  const parent = draftable(relation.entity);
  const words = [...parent.sure, ...parent.maybe, ...child.parentWords];
  const links = linksFrom(known, table).filter(({ to }) => findStem(wordsOf(to.name), PLACES) < 0);
  const linked = new Set(links.map(({ column }) => column));
  const named = table.columns.filter(
    (column) =>
      isReadable(column) && KINDS.has(column.kind) && !linked.has(column.name) && isCalled(column, words),
  );
  // Names say more than keys of what is not there.
  named.sort((a, b) => Number(b.kind === 'text') - Number(a.kind === 'text'));
  const counted = named.map((column) => ({
    sql: keyText(column, 't'),
    counts: (value: string) => ({ filled: `count(${value})`, different: `count(distinct ${value})` }),
  }));
  const facts = await countSample(read, `from ${table.sqlName} t`, counted);
  const ofColumns = named.flatMap((column, at) => {
    const { rows = 0, filled = 0, different = 0 } = facts?.[at] ?? {};
    if (filled === 0) return [];
    const what = `${fullName(table, column.name)} has ${grouped(different)} different values in ${grouped(filled)} of ${grouped(rows)} rows`;
    return [{ what, sql: keyText(column, alias), query: valuesQuery(parent, table, column) }];
  });
  const isLikely = ({ to, column }: Link) =>
    isCalled({ name: column }, words) || findStem(wordsOf(to.name), words) >= 0;
  const likely = links.filter(isLikely);
  const shown = ofColumns.length + likely.length > 0 ? likely : links.slice(0, MOST);
  const ofTables = shown.map(({ to, column, toColumn }) => ({
    what: `${fullName(table, column)} names ${to.title} (${rowsText(to)})`,
    sql: columnSql(alias, { sqlName: sqlOf(table, column) }),
    query: tableQuery(parent, to, toColumn),
  }));
  const { one, many } = parent.entity.noun;
  const candidates = [...ofColumns, ...ofTables].map(({ what, ...rest }) => ({
    ...rest,
    question: `no table was taken for the ${many}. ${what}: are these the ${many}?`,
  }));
  const sole = {
    question: `${candidates.length === 0 ? `no table lists the ${many}. Do` : 'or do'} all ${child.entity.noun.many} belong to one ${one}? Then write its name`,
    sql: `'main'`,
    query: selectOf(parent, `'main'`, `'NAME'`),
  };
  const all = [...candidates, sole];
  return {
    entity: parent.name,
    offers: all.map(({ question, sql }) => ({ target: relation.column, sql, from: table.name, question })),
    queries: all.map(({ query }) => query),
  };
}

const KINDS = new Set(['text', 'enum', 'integer', 'uuid']);
/** Other tables that are offered, where nothing is called like the parent. */
const MOST = 3;

/** `perusahaan`, `nama_perusahaan`, `company_id`; not `company_website`. */
function isCalled({ name }: Pick<CatalogColumn, 'name'>, stems: Stems): boolean {
  const own = wordsOf(name)
    .filter((word) => !OF_NAMES.has(word))
    .join(' ');
  return stems.some((stem) => stem.join(' ') === own);
}

const OF_NAMES = new Set('name nama nm title code kode kd id no key'.split(' '));

function keyText(column: CatalogColumn, alias: string): string {
  const sql = columnSql(alias, column);
  return column.kind === 'text' ? `nullif(lower(btrim(${sql})), '')` : sql;
}

function valuesQuery(parent: Draftable, table: CatalogTable, column: CatalogColumn): string {
  const key = keyText(column, 'r');
  const name = column.kind === 'text' ? `min(btrim(${columnSql('r', column)}))` : NULL_TEXT;
  return `${selectOf(parent, `cast(${key} as text)`, name)} from ${table.sqlName} r where ${key} is not null group by 1`;
}

function tableQuery(parent: Draftable, to: CatalogTable, key: string): string {
  const name = labelSql({ table: to, alias: 'p' });
  const named = name === null ? NULL_TEXT : `cast(${name} as text)`;
  return `${selectOf(parent, `cast(${columnSql('p', { sqlName: sqlOf(to, key) })} as text)`, named)} from ${to.sqlName} p`;
}

/** Key, name, and null for what else the worker asks for. */
export function selectOf({ entity }: Draftable, key: string, name: string): string {
  const others = entity.assumedRequired.map((column) => `, ${NULL_TEXT} as ${column}`).join('');
  return `select ${key} as key, ${name} as name${others}`;
}
