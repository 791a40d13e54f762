import { escapeIdentifier } from 'pg';
import { type CatalogColumn, type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { draftable, isDrafted } from '../../init/draftables.js';
import { findLinks } from '../../init/links.js';
import { meaningsOf } from '../../init/map/find-region.js';
import { payFlagKind } from '../../init/map/find-notices.js';
import { candidates } from '../../init/rank/column-matches.js';
import { findStem, isPeopleTable, mayHoldPeople, wordsOf } from '../../init/words.js';
import type { PayFlag, ReadColumn, SourceColumns, TableScores, UnusedColumn } from '../facts.js';
import { queryTokens, type SelectShape } from '../sql/query-shape.js';
import { allOf, attempted, type InspectContext } from './inspect-context.js';

/**
 * What the columns of the query are made of, and which columns of the same tables fit the contract and are not named
 * anywhere: how far these are filled in the rows that the query keeps, and their words where they have few.
 */
export async function readSources(context: InspectContext): Promise<SourceColumns> {
  const { entity, shape, catalog, sources: known, tableOf } = context;
  const tables = [...new Set(known.tables.flatMap(({ table }) => tableOf(table) ?? []))];
  const columns = known.columns.map(({ sources, ...column }): ReadColumn => ({
    ...column,
    sources: sources.flatMap(({ table: named, column: name, joins }) => {
      const table = tableOf(named);
      const source = table && columnOf(table, name);
      return source ? [{ table, column: source, joins }] : [];
    }),
  }));
  const scores = isDrafted(entity.name) ? scoresOf(entity.name, tables, catalog) : [];
  const parents = isDrafted(entity.name) && entity.parent ? draftable(entity.parent.entity).sure : [];
  const unused: UnusedColumn[] = [];
  const pay: PayFlag[] = [];
  const refused: string[] = [];
  const isGrouped = queryTokens(entity.query.sql).some(
    ({ text, depth }) => depth === 0 && (text === 'distinct' || text === 'group'),
  );
  const [select] = shape.selects;
  for (const { table: named, outer } of known.tables) {
    const table = tableOf(named);
    if (!table || !select || shape.selects.length > 1 || isPeopleTable(table.name)) continue;
    const free = table.columns.filter(({ name, selectable }) => selectable && !known.uses(named, name));
    const isParent = ({ name, kind }: CatalogColumn) =>
      kind === 'text' && parents.some((stem) => findStem(wordsOf(name), [stem]) >= 0);
    const worth = free.filter(
      (column) =>
        isParent(column) || scores.some((score) => score.table === table && score.column === column),
    );
    const from: From = {
      ...{ context, select, alias: outer, called: named.alias, table },
      refuse: (error) => refused.push(`${table.title}: ${(error as Error).message}`),
    };
    for (const each of await measured(from, worth))
      unused.push({ ...each, namesParent: isParent(each.column) });
    // Pay of a group is an aggregate, which no row has.
    for (const column of isGrouped ? [] : table.columns) {
      const kind = payFlagKind(column);
      if (kind === null || !column.selectable) continue;
      const values = await payBy(from, column, columns);
      if (values.length > 0)
        pay.push({
          table,
          alias: outer ?? named.alias,
          column,
          kind,
          isUsed: !free.includes(column),
          values,
        });
    }
  }
  return { columns, scores, unused, pay, isGrouped, tables, refused };
}

/** What every column of the tables is worth for every column of the contract. */
function scoresOf(
  entity: string,
  tables: readonly CatalogTable[],
  catalog: InspectContext['catalog'],
): readonly TableScores[] {
  const links = findLinks(catalog);
  return tables.flatMap((table) =>
    candidates(draftable(entity), table, meaningsOf(table, links)).map(({ target, column, score }) => ({
      table,
      column,
      target,
      score,
    })),
  );
}

interface From {
  readonly context: InspectContext;
  readonly select: SelectShape;
  /** Null: the table is within a CTE or a subquery. */
  readonly alias: string | null;
  /** What the query calls it there. */
  readonly called: string;
  readonly table: CatalogTable;
  readonly refuse: (error: unknown) => void;
}

/** `from …` of the query's own kept rows, and what stands in front of a column there; a table that is not there stands alone. */
function rowsOf({ context, select, alias, table }: From): {
  readonly prefix: string;
  readonly from: string;
  readonly name: string;
} {
  if (alias === null) return { prefix: '', from: `from ${table.sqlName} t`, name: 't' };
  return {
    prefix: context.shape.prefix,
    from: `from ${select.fromSql}\nwhere ${allOf(select.conditions)}`,
    name: escapeIdentifier(alias),
  };
}

async function measured(
  from: From,
  columns: readonly CatalogColumn[],
): Promise<readonly Omit<UnusedColumn, 'namesParent'>[]> {
  if (columns.length === 0) return [];
  const { prefix, from: rows, name } = rowsOf(from);
  const texts = columns.map(
    ({ sqlName }, at) =>
      `pg_catalog.btrim(pg_catalog.left(cast(${name}.${sqlName} as pg_catalog.text), ${LONGEST})) as c${at}`,
  );
  const counts = columns.map((column, at) => {
    const words = mayHoldPeople(column)
      ? 'null'
      : `(pg_catalog.array_agg(distinct s.c${at}))[1:${MOST_WORDS + 1}]`;
    return `pg_catalog.count(*) filter (where s.c${at} operator(pg_catalog.<>) '') as f${at}, pg_catalog.count(distinct s.c${at}) as d${at}, ${words} as w${at}`;
  });
  try {
    const [row = {}] = await attempted<Record<string, unknown>>(
      from.context.read,
      `${prefix}\nselect pg_catalog.count(*) as n, ${counts.join(', ')} from (select ${texts.join(', ')} ${rows} limit ${MOST_ROWS}) as s`,
    );
    const all = Number(row.n);
    return columns.map((column, at) => {
      const words = ((row[`w${at}`] ?? []) as readonly string[]).filter(
        (word) => word !== null && word !== '',
      );
      const distinct = Number(row[`d${at}`]);
      return {
        table: from.table,
        alias: from.alias ?? from.called,
        column,
        filled: all === 0 ? 0 : Number(row[`f${at}`]) / all,
        distinct,
        words: distinct > MOST_WORDS ? [] : words,
      };
    });
  } catch (error) {
    if (from.alias !== null) return measured({ ...from, alias: null }, columns);
    from.refuse(error);
    return [];
  }
}

/** By each value of a column about pay, in how many of the rows that are kept pay is sent. */
async function payBy(
  from: From,
  column: CatalogColumn,
  columns: readonly ReadColumn[],
): Promise<PayFlag['values']> {
  const pay = columns.filter(({ name }) => name.endsWith('_salary_amount')).map(({ sql }) => `(${sql})`);
  if (pay.length === 0 || from.alias === null) return [];
  const { prefix, from: rows, name } = rowsOf(from);
  const key = columns.find((each) => each.name === 'key')?.sql ?? 'null';
  try {
    const found = await attempted<{ value: string; paid: string; sample: readonly string[] | null }>(
      from.context.read,
      `${prefix}\nselect s.value, cast(pg_catalog.count(*) as pg_catalog.text) as paid, (pg_catalog.array_agg(s.key order by s.key))[1:3] as sample
       from (select cast(${name}.${column.sqlName} as pg_catalog.text) as value, cast((${key}) as pg_catalog.text) as key,
         pg_catalog.num_nonnulls(${pay.join(', ')}) as pays ${rows} limit ${MOST_ROWS}) as s
       where s.value is not null and s.pays operator(pg_catalog.>) 0 group by 1 order by 1 limit ${MOST_WORDS + 1}`,
    );
    return found.length > MOST_WORDS
      ? []
      : found.map(({ value, paid, sample }) => ({ value, paid: Number(paid), sample: sample ?? [] }));
  } catch (error) {
    from.refuse(error);
    return [];
  }
}

const MOST_ROWS = 20_000;
/** Different values of a column that are looked at. */
const MOST_WORDS = 12;
const LONGEST = 60;
