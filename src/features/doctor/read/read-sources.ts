import { escapeIdentifier } from 'pg';
import { type CatalogColumn, type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { draftable, isDrafted } from '../../init/draftables.js';
import { findLinks } from '../../init/links.js';
import { meaningsOf } from '../../init/map/find-region.js';
import { candidates } from '../../init/rank/column-matches.js';
import { findStem, isPeopleTable, mayHoldPeople, wordsOf } from '../../init/words.js';
import type { ReadColumn, SourceColumns, TableScores, UnusedColumn } from '../facts.js';
import type { SelectShape } from '../sql/query-shape.js';
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
  const refused: string[] = [];
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
  }
  return { columns, scores, unused, isGrouped: known.isGrouped, tables, refused };
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

const MOST_ROWS = 20_000;
/** Different values of a column that are looked at. */
const MOST_WORDS = 12;
const LONGEST = 60;
