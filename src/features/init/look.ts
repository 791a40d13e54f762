import type { Catalog, CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { readCatalog } from '../catalog/read-catalog.js';
import { onlyRow, type ReadOnly } from '../catalog/with-read-only.js';
import { DRAFTABLES } from './draftables.js';
import { linkCandidates, testLinks } from './look/test-links.js';
import { KEY_WORDS, keyColumns } from './links.js';
import { rank, type Ranking } from './rank.js';
import { isListOfPeople, isReadable, plainName, wordsOf } from './words.js';

/**
 * The first step of `init`: a catalogue of the tables of an unknown database. The catalogue itself says names, types and
 * keys. A first ranking shows which tables are worth a bounded look at their values: how far columns are filled, and which
 * columns name other tables although no foreign key says so.
 */
export async function look(read: ReadOnly): Promise<Catalog> {
  const catalog = await readCatalog(read);
  const measured = await measureLikely(read, catalog, likeliest(rank(catalog, true)));
  const ranking = rank(measured);
  const first = likeliest(ranking);
  const isOpen = (table: CatalogTable) => table.selectable && !isListOfPeople(table, first.has(table.oid));
  const likely = (entity: string) =>
    (ranking.get(entity) ?? []).flatMap(({ table }) => (isOpen(table) ? [table] : []));
  const near = new Set([...ranking.values()].flat().map(({ table }) => table.oid));
  const pairs = DRAFTABLES.flatMap(({ name, entity }) =>
    entity.parent === null
      ? []
      : likely(name)
          .slice(0, CLOSER)
          .map((child) => ({ child, parents: likely(entity.parent?.entity ?? '') })),
  );
  const known = measured.tables.filter(isOpen);
  const tested = await testLinks(read, linkCandidates(known, near, pairs));
  return { ...measured, tested };
}

/** Tables of an entity that are looked at closer. */
const CLOSER = 4;

function likeliest(ranking: Ranking): ReadonlySet<number> {
  const candidates = [...ranking.values()].flatMap((some) => some.slice(0, CLOSER));
  return new Set(candidates.map(({ table }) => table.oid));
}

/** The likeliest tables, and what they name, with measured columns. */
async function measureLikely(
  read: ReadOnly,
  catalog: Catalog,
  likely: ReadonlySet<number>,
): Promise<Catalog> {
  const named = catalog.tables
    .filter(({ oid }) => likely.has(oid))
    .flatMap(({ foreignKeys }) => foreignKeys.map(({ to }) => to));
  const closer = new Set([...likely, ...named]);
  const tables: CatalogTable[] = [];
  for (const table of catalog.tables)
    tables.push(
      closer.has(table.oid) && table.selectable && !isListOfPeople(table, likely.has(table.oid))
        ? await measureColumns(read, table)
        : table,
    );
  return { ...catalog, tables };
}

/**
 * The table with shares that were counted in a sample instead of those of the statistics, which a young database does not
 * have: how many rows have no value (an empty text is none), and of columns with a foreign key whether each value occurs
 * once. Leaves out columns of people; the table as it was where the server refuses.
 */
async function measureColumns(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const linking = new Set(table.foreignKeys.flatMap(({ columns }) => (columns.length === 1 ? columns : [])));
  const naming = new Set(mayBeKeys(table));
  const columns = table.columns.filter((column) => isReadable(column) && !WITHOUT_COUNT.has(column.kind));
  if (columns.length === 0) return table;
  const counts = columns.map((column, at) => {
    const isCounted = linking.has(column.name) || naming.has(column.name);
    const different = isCounted ? `, count(distinct s.c${at}) as d${at}` : '';
    return `count(${filledSql(column, `s.c${at}`)}) as n${at}${different}`;
  });
  const row = await onlyRow(
    read,
    `select count(*) as rows, ${counts.join(', ')} from (select ${columns
      .map(({ sqlName }, at) => `${sqlName} as c${at}`)
      .join(', ')} from ${table.sqlName} limit ${SAMPLE}) s`,
  );
  const rows = Number(row.rows ?? 0);
  if (rows === 0) return table;
  const measured = new Map(
    columns.map((column, at): [string, CatalogColumn] => {
      const filled = Number(row[`n${at}`]);
      const different = row[`d${at}`];
      const once = different !== undefined && filled > 0 && Number(different) === filled;
      return [
        column.name,
        { ...column, nullShare: 1 - filled / rows, ...(once ? { distinct: -filled / rows } : {}) },
      ];
    }),
  );
  const key = [...naming].find((name) => {
    const at = columns.findIndex((column) => column.name === name);
    return Number(row[`n${at}`]) === rows && Number(row[`d${at}`]) === rows;
  });
  return {
    ...table,
    columns: table.columns.map((column) => measured.get(column.name) ?? column),
    ...(key !== undefined && rows >= LEAST_ROWS ? { measuredKey: key } : {}),
  };
}

/** Columns of a table without a key that may be one, the likeliest first: what is called like a key, numbers, texts. */
function mayBeKeys(table: CatalogTable): readonly string[] {
  if (keyColumns(table) !== null) return [];
  const worth = ({ name, kind }: CatalogColumn): number => {
    if (!isReadable({ name, selectable: true }) || !['integer', 'uuid', 'text'].includes(kind)) return 0;
    if (wordsOf(name).some((word) => KEY_WORDS.has(word) || MORE_KEY_WORDS.has(word))) return 3;
    return kind === 'text' ? 1 : 2;
  };
  return table.columns
    .filter((column) => column.selectable && worth(column) > 0 && !TITLES.test(plainName(column.name)))
    .toSorted((a, b) => worth(b) - worth(a))
    .map(({ name }) => name);
}

const MORE_KEY_WORDS = new Set('number slug guid nr num reg registration'.split(' '));
/** What records are called is different by chance, or until the next one. */
const TITLES = /(^|_)(title|judul|name|nama|jabatan|posisi|position|description|deskripsi|uraian)(_|$)/;
/** Fewer rows are different by chance. */
const LEAST_ROWS = 5;

const SAMPLE = 20_000;
const WITHOUT_COUNT = new Set(['bytes', 'other']);

function filledSql({ kind }: CatalogColumn, sql: string): string {
  return kind === 'text' ? `nullif(btrim(left(cast(${sql} as text), 40)), '')` : sql;
}
