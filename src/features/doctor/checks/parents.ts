import { counted, grouped, plural } from '../../../core/domain/text.js';
import { entity as entityNamed } from '../../../core/entities/index.js';
import { type CatalogColumn, type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { isDrafted } from '../../init/draftables.js';
import { bareName } from '../../init/links.js';
import { wordsOf } from '../../init/words.js';
import { rowsCheck } from '../check.js';
import type { EntityFacts } from '../facts.js';
import { type DoctorEntity, fail, pass, undone, type Verdict, warn } from '../finding.js';
import type { RowFacts } from '../rows/row-tally.js';
import { placeOf } from '../sql/sources.js';
import { recordTables } from './sources.js';

/**
 * Whether each record names its parent: first whether the column is the right one, by declared keys, by names and by how
 * many parents it names; then which records name none, or one that the parent's query has not.
 */

export const parents = rowsCheck({
  id: 'parents',
  levels: ['warn', 'fail'],
  looksAt:
    'records that name no parent (the company of a vacancy, the institution of a training), or one that is not in the parent’s query; a column that names another table, one parent for all records',
  applies: ({ parent }) => parent !== null,
  judge(seen, facts, { entities }) {
    const { entity } = facts;
    const { parent } = entity;
    if (parent === null) return [];
    const above = entities.find((each) => each.entity.name === parent.entity);
    // What names the wrong table is said once.
    const wrong = above && wrongLink(facts, seen, above);
    return wrong
      ? [wrong]
      : [...withoutParent(entity, parent, seen), ...withUnknownParent(entity, parent, seen)];
  },
});

/** What is wrong with the column that names the parent, whatever its rows are; null: nothing. */
function wrongLink({ entity, sources }: EntityFacts, seen: RowFacts, parent: EntityFacts): Verdict | null {
  if ('cause' in sources || 'cause' in parent.sources) return null;
  const { columns, tables, unused } = sources.value;
  const link = columns.find(({ name }) => name === entity.parent?.column);
  if (!link || link.sql.trim().toLowerCase() === 'null') return null;
  const key = parent.sources.value.columns
    .find(({ name }) => name === 'key')
    ?.sources.find(({ joins }) => !joins);
  const own = link.sources.filter(({ joins }) => !joins);
  const [first] = own;
  const { values = [], isMore = false } = seen.values.get(link.name) ?? {};
  const used = isMore ? Infinity : values.length;
  const all = 'value' in parent.rows ? parent.rows.value.read : 0;
  const better = key && linkTo(recordTables(sources.value), key.table, own);
  const write = better
    ? `${better.table.title}.${better.column.name} names ${key.table.title}: write it as ${link.name}.`
    : `Return the column that names the ${parent.entity.noun.one}, with the same values as key in ${parent.entity.query.file}.`;
  const verdict = (what: string, hint = write) =>
    warn(`${what}${placeOf(entity.query, link.name)}`, hint, {
      count: seen.read,
      sample: values.flatMap(({ sample }) => sample).slice(0, 3),
    });
  const made = `${link.name} is ${first?.table.title}.${first?.column.name}`;
  const [other] = key ? own.flatMap((each) => namesOther(each, key, tables) ?? []) : [];
  if (other !== undefined) return verdict(`${made}, which names ${other}, not ${key?.table.title}`);
  const isMeant = new RegExp(`--.*\\b${link.name}\\b`).test(entity.query.sql);
  if (seen.read >= FEW_ROWS && all >= FEW_PARENTS && used === 1 && !isMeant)
    return verdict(
      `all ${grouped(seen.read)} ${entity.noun.many} name one of ${grouped(all)} ${parent.entity.name}`,
      `${write} If it is so, say it in a comment of the query: -- ${link.name}: one for all`,
    );
  if (better && first && !own.some((each) => isNamedLike(each, key)))
    return verdict(
      `${made}, whose values may fit by chance: it names ${grouped(used)} of ${grouped(all)} ${parent.entity.name}`,
    );
  const name = unused.find(({ namesParent, distinct }) => distinct > 1 && namesParent);
  if (!name || better || first || !isDrafted(entity.name) || seen.read < FEW_ROWS) return null;
  return verdict(
    `${link.name} is the same in all ${grouped(seen.read)} rows, and ${name.table.title}.${name.column.name} has ${grouped(name.distinct)} values`,
    `If these are the ${parent.entity.name}, return them as ${link.name} here and as key there: select distinct ${name.column.sqlName} as key, ${name.column.sqlName} as name from ${name.table.title}.`,
  );
}

const FEW_ROWS = 10;
/** Fewer may well have one that is named alone. */
const FEW_PARENTS = 4;

interface Key {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

/** The table that a column names by a declared key, or whose key it is, when the parent's is another one. Null: none is, or nobody knows. */
function namesOther({ table, column }: Key, key: Key, tables: readonly CatalogTable[]): string | null {
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

/** Whether a column is of the parent's table, names it by a declared key, or is called like it. */
function isNamedLike({ table, column }: Key, key: Key): boolean {
  const words = wordsOf(bareName(key.table.name));
  return (
    table.oid === key.table.oid ||
    table.foreignKeys.some(({ columns, to }) => columns.join() === column.name && to === key.table.oid) ||
    wordsOf(column.name).some((word) => words.includes(word))
  );
}

/** A column of the record's tables that a declared key makes name the parent. */
function linkTo(
  records: readonly CatalogTable[],
  parent: CatalogTable,
  own: readonly Key[],
): Key | undefined {
  return records.flatMap((table) =>
    table.foreignKeys.flatMap(({ columns, to }) => {
      const column = columns.length === 1 ? columnOf(table, columns[0]) : undefined;
      return column && to === parent.oid && !own.some((each) => each.column === column)
        ? [{ table, column }]
        : [];
    }),
  )[0];
}

type Parent = NonNullable<DoctorEntity['parent']>;

function withoutParent(
  entity: DoctorEntity,
  { entity: name, column }: Parent,
  { parentless, columns, read }: RowFacts,
): readonly Verdict[] {
  if (parentless === null || parentless.count === 0) return [];
  const { one } = entityNamed(name).noun;
  const isReturned = columns.includes(column);
  const { count } = parentless;
  const records =
    count < read ? `${grouped(count)} of ${recordsText(entity, read)}` : recordsText(entity, count);
  const why = isReturned ? `${column} is null` : `the query has no column ${column}`;
  const link = `the column of ${entity.noun.many} (or of the table between both) that names the ${one}`;
  const hint = `Return ${link} as ${column}, with the same values as key in the query of ${name}; or leave these ${entity.noun.many} out.`;
  if (mustFill(entity).includes(column))
    return [fail(`${records} cannot be sent without ${withArticle(one)}: ${why}`, hint, parentless)];
  const are = plural(count, 'is', 'are');
  return [warn(`${records} ${are} sent without ${withArticle(one)}: ${why}`, hint, parentless)];
}

function withUnknownParent(
  entity: DoctorEntity,
  { entity: parent, column }: Parent,
  { parentless, orphans, nearOrphans, read }: RowFacts,
): readonly Verdict[] {
  if (orphans === null || parentless?.count === read) return [];
  if ('cause' in orphans) return [undone(orphans.cause)];
  const { count, sample } = orphans.value;
  if (count === 0) {
    return parentless !== null && parentless.count > 0
      ? []
      : [pass(`every ${column} is in the query of ${parent}`)];
  }
  const problem = `${recordsText(entity, count)} without ${parent}: no such ${column} in the query of ${parent}`;
  if (nearOrphans.count > 0)
    return [
      warn(
        `${problem}; for ${grouped(nearOrphans.count)} of them a key there differs only in its form: ${nearOrphans.sample.join('; ')}`,
        `Write key and ${column} alike in both queries: for instance trim(), lower() or normalize() around both.`,
        { count, sample },
      ),
    ];
  return [
    warn(
      problem,
      `Compare the conditions of both queries: return these ${parent}, or leave their ${entity.noun.many} out.`,
      { count, sample },
    ),
  ];
}

function recordsText({ noun }: DoctorEntity, count: number): string {
  return counted(count, noun.one, noun.many);
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Columns without which a record is invalid: those of the contract, and those that are assumed or configured. */
function mustFill({ columns, mapContext, assumedRequired }: DoctorEntity): readonly string[] {
  const always = columns.filter(({ required }) => required).map(({ name }) => name);
  return [...new Set([...always, ...(mapContext.required ?? assumedRequired)])];
}
