import { escapeIdentifier } from 'pg';
import { type CatalogColumn, type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { draftable, isDrafted } from '../../init/draftables.js';
import { findLinks } from '../../init/links.js';
import { meaningsOf } from '../../init/map/find-region.js';
import { candidates } from '../../init/rank/column-matches.js';
import { findStem, isPeopleTable, mayHoldPeople, wordsOf } from '../../init/words.js';
import type { ReadColumn, SourceColumns, TableScores, UnusedColumn } from '../facts.js';
import { allOf, attempted, type InspectContext } from './inspect-context.js';

/**
 * What the columns of the query are made of, and which columns of the same tables fit the contract and are not named
 * anywhere: how far these are filled in the rows that the query keeps, and their words where they have few.
 */
export async function readSources(context: InspectContext): Promise<SourceColumns> {
  const { read, entity, shape, catalog, sources: known, tableOf } = context;
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
    if (worth.length === 0) continue;
    const alone: Rows = { prefix: '', from: `${table.sqlName} t`, name: 't' };
    const own: Rows = {
      prefix: shape.prefix,
      from: `${select.fromSql}\nwhere ${allOf(select.conditions)}`,
      name: escapeIdentifier(outer ?? ''),
    };
    try {
      // A table whose columns cannot be reached from the outermost FROM is measured by itself.
      const counted =
        outer === null
          ? measured(read, alone, worth)
          : measured(read, own, worth).catch(() => measured(read, alone, worth));
      for (const each of await counted)
        unused.push({ ...each, table, alias: outer ?? named.alias, namesParent: isParent(each.column) });
    } catch (error) {
      refused.push(`${table.title}: ${(error as Error).message}`);
    }
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

/** Rows of which columns are measured. */
interface Rows {
  /** `with …`, or nothing. */
  readonly prefix: string;
  readonly from: string;
  /** What stands in front of a column. */
  readonly name: string;
}

type Measured = Pick<UnusedColumn, 'column' | 'filled' | 'distinct' | 'words'>;

/** How far columns are filled in these rows. Errors: as `attempted`. */
async function measured(
  read: InspectContext['read'],
  { prefix, from, name }: Rows,
  columns: readonly CatalogColumn[],
): Promise<readonly Measured[]> {
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
  const [row = {}] = await attempted<Record<string, unknown>>(
    read,
    `${prefix}\nselect pg_catalog.count(*) as n, ${counts.join(', ')} from (select ${texts.join(', ')} from ${from} limit ${MOST_ROWS}) as s`,
  );
  return columns.map((column, at) => {
    const distinct = Number(row[`d${at}`]);
    const words = (row[`w${at}`] ?? []) as readonly (string | null)[];
    return {
      column,
      filled: Number(row[`f${at}`]) / Math.max(1, Number(row.n)),
      distinct,
      words: distinct > MOST_WORDS ? [] : words.flatMap((word) => word ?? []).filter((word) => word !== ''),
    };
  });
}

const MOST_ROWS = 20_000;
/** Different values of a column that are looked at. */
const MOST_WORDS = 12;
const LONGEST = 60;
