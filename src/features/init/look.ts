import { type Catalog, type CatalogColumn, type CatalogTable, columnOf } from '../catalog/catalog.js';
import { readCatalog } from '../catalog/read-catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { DRAFTABLES } from './draftables.js';
import { countSample } from './look/count-sample.js';
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
 * have: how many rows have no value (an empty text is none), and of columns that may be keys or links whether each value
 * occurs once. Leaves out columns of people; the table as it was where the server refuses.
 */
async function measureColumns(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const links = table.foreignKeys.flatMap(({ columns }) => (columns.length === 1 ? columns : []));
  const keys = mayBeKeys(table);
  const looked = table.columns.filter((column) => isReadable(column) && !WITHOUT_COUNT.has(column.kind));
  const counted = looked.map((column) => ({
    sql: column.sqlName,
    counts: (value: string) => ({
      filled: `count(${filledSql(column, value)})`,
      ...([...links, ...keys].includes(column.name) ? { different: `count(distinct ${value})` } : {}),
    }),
  }));
  const facts = await countSample(read, `from ${table.sqlName}`, counted);
  const rows = facts?.[0]?.rows ?? 0;
  if (facts === null || rows === 0) return table;
  const measured = table.columns.map((column) => {
    const { filled, different } = facts[looked.indexOf(column)] ?? {};
    if (filled === undefined) return column;
    const once = filled > 0 && different === filled ? { distinct: -filled / rows } : {};
    return { ...column, nullShare: 1 - filled / rows, ...once };
  });
  const key = keys.find((name) => columnOf({ columns: measured }, name)?.distinct === -1);
  return {
    ...table,
    columns: measured,
    ...(key !== undefined && rows >= LEAST_ROWS ? { measuredKey: key } : {}),
  };
}

/** Columns of a table without a key that may be one, what is called like a key first. */
function mayBeKeys(table: CatalogTable): readonly string[] {
  if (keyColumns(table) !== null) return [];
  const isCalledKey = ({ name }: CatalogColumn) =>
    wordsOf(name).some((word) => KEY_WORDS.has(word) || MORE_KEY_WORDS.has(word));
  return table.columns
    .filter(
      (column) =>
        isReadable(column) &&
        ['integer', 'uuid', 'text'].includes(column.kind) &&
        !TITLES.test(plainName(column.name)),
    )
    .toSorted((a, b) => Number(isCalledKey(b)) - Number(isCalledKey(a)))
    .map(({ name }) => name);
}

const MORE_KEY_WORDS = new Set('number slug guid nr num reg registration'.split(' '));
/** What records are called is different by chance, or until the next one. */
const TITLES = /(^|_)(title|judul|name|nama|jabatan|posisi|position|description|deskripsi|uraian)(_|$)/;
/** Fewer rows are different by chance. */
const LEAST_ROWS = 5;

const WITHOUT_COUNT = new Set(['bytes', 'other']);

function filledSql({ kind }: CatalogColumn, sql: string): string {
  return kind === 'text' ? `nullif(btrim(left(cast(${sql} as text), 40)), '')` : sql;
}
