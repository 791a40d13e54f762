import { grouped } from '../../../core/domain/text.js';
import { isDrafted } from '../../init/draftables.js';
import { type CatalogColumn, type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { bareName } from '../../init/links.js';
import { wordsOf } from '../../init/words.js';
import type { EntityFacts, ReadColumn } from '../facts.js';
import { type Verdict, warn } from '../finding.js';
import { placeOf } from '../sql/sources.js';
import { recordTables } from './sources.js';
import type { RowFacts } from '../rows/row-tally.js';

/** Whether the column that names the parent is the right one: by declared keys, by names, by how many parents it names. */
export function linkVerdicts(
  facts: EntityFacts,
  seen: RowFacts,
  parent: EntityFacts | undefined,
): readonly Verdict[] {
  const { entity, sources } = facts;
  if (entity.parent === null || !parent || 'cause' in sources || 'cause' in parent.sources) return [];
  const link = sources.value.columns.find(({ name }) => name === entity.parent?.column);
  const keyed = keyOf(parent.sources.value.columns);
  if (!link || link.sql.trim().toLowerCase() === 'null') return [];
  const own = link.sources.filter(({ joins }) => !joins);
  const parents = 'value' in parent.rows ? parent.rows.value.read : 0;
  const { values = [], isMore = false } = seen.values.get(link.name) ?? {};
  const used = isMore ? Infinity : values.length;
  const better = keyed && linkTo(facts, keyed.table, own);
  const write = better
    ? `${better.table.title}.${better.column.name} names ${keyed.table.title}: write it as ${link.name}`
    : `Return the column that names the ${parent.entity.noun.one}, with the same values as key in ${parent.entity.query.file}`;
  const where = placeOf(entity.query, link.name);
  const about = {
    count: seen.read,
    sample: values.flatMap(({ sample }) => sample).slice(0, 3),
  };
  const other =
    keyed &&
    own
      .map(({ table, column }) => namesOther(table, column, keyed, sources.value.tables))
      .find((table) => table !== null);
  if (other)
    return [
      warn(
        `${link.name} is ${own[0]?.table.title}.${own[0]?.column.name}, which names ${other}, not ${keyed.table.title}${where}`,
        `${write}.`,
        about,
      ),
    ];
  if (seen.read >= FEW_ROWS && parents >= FEW_PARENTS && used === 1)
    return [
      warn(
        `all ${grouped(seen.read)} ${entity.noun.many} name one of ${grouped(parents)} ${parent.entity.name}${where}`,
        `${write}. If it is so, say it in a comment of the query: -- ${link.name}: one for all`,
        about,
      ),
    ].filter(() => !new RegExp(`--.*\\b${link.name}\\b`).test(entity.query.sql));
  const isNamed = own.some(
    ({ table, column }) =>
      table.oid === keyed?.table.oid ||
      isLinkTo(table, column, keyed) ||
      sharesWord(column.name, keyed?.table.name ?? ''),
  );
  if (better && own.length > 0 && !isNamed)
    return [
      warn(
        `${link.name} is ${own[0]?.table.title}.${own[0]?.column.name}, whose values may fit by chance: it names ${grouped(used)} of ${grouped(parents)} ${parent.entity.name}${where}`,
        `${write}.`,
        about,
      ),
    ];
  const name = isDrafted(entity.name) && !better && own.length === 0 ? namedLikeParent(facts) : undefined;
  if (name && seen.read >= FEW_ROWS)
    return [
      warn(
        `${link.name} is the same in all ${grouped(seen.read)} rows, and ${name.table.title}.${name.column.name} has ${grouped(name.distinct)} values${where}`,
        `If these are the ${parent.entity.name}, return them as ${link.name} here and as key there: select distinct ${name.column.sqlName} as key, ${name.column.sqlName} as name from ${name.table.title}.`,
        about,
      ),
    ];
  return [];
}

const FEW_ROWS = 10;
/** Fewer may well have one that is named alone. */
const FEW_PARENTS = 4;

interface Key {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

function keyOf(columns: readonly ReadColumn[]): Key | undefined {
  return columns.find(({ name }) => name === 'key')?.sources.find(({ joins }) => !joins);
}

/** The table that a column names by a declared key, or whose key it is, when the parent's is another one. Null: none is, or nobody knows. */
function namesOther(
  table: CatalogTable,
  column: CatalogColumn,
  key: Key,
  tables: readonly CatalogTable[],
): string | null {
  // A view has no declared keys, and may show the rows of any table.
  if (table.oid === key.table.oid || !['table', 'partitioned-table'].includes(key.table.kind)) return null;
  const targets = table.foreignKeys
    .filter(({ columns }) => columns.join() === column.name)
    .map(({ to }) => to);
  const isOwnKey = targets.length === 0 && table.primaryKey?.join() === column.name;
  const named = isOwnKey ? [table.oid] : targets;
  if (named.length === 0 || named.includes(key.table.oid)) return null;
  // The parent may be kept in a table of its own with the same key, or be a part of another one.
  const related = key.table.foreignKeys
    .filter(({ columns }) => columns.join() === key.column.name)
    .map(({ to }) => to);
  if (related.some((oid) => named.includes(oid))) return null;
  return isOwnKey ? table.title : (tables.find(({ oid }) => named.includes(oid))?.title ?? 'another table');
}

function isLinkTo(table: CatalogTable, column: CatalogColumn, key: Key | undefined): boolean {
  return table.foreignKeys.some(({ columns, to }) => columns.join() === column.name && to === key?.table.oid);
}

function sharesWord(column: string, table: string): boolean {
  const words = wordsOf(bareName(table));
  return wordsOf(column).some((word) => words.includes(word));
}

/** A column of the record's tables that a declared key makes name the parent. */
function linkTo({ sources }: EntityFacts, parent: CatalogTable, own: ReadColumn['sources']): Key | undefined {
  if ('cause' in sources) return undefined;
  return recordTables(sources.value).flatMap((table) =>
    table.foreignKeys.flatMap(({ columns, to }) => {
      const column = columns.length === 1 ? columnOf(table, columns[0]) : undefined;
      return column && to === parent.oid && !own.some((each) => each.column === column)
        ? [{ table, column }]
        : [];
    }),
  )[0];
}

/** A column that is called like an employer and that the query leaves unused. */
function namedLikeParent({ sources }: EntityFacts) {
  return 'cause' in sources
    ? undefined
    : sources.value.unused.find(({ namesParent, distinct }) => distinct > 1 && namesParent);
}
