import { entity } from '../../entities/index.js';
import type { Catalog, CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { readCatalog } from '../catalog/read-catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { DRAFTABLES } from './column-matches.js';
import { PLACES } from './find-region.js';
import { type Candidate, findLinks } from './links.js';
import { linkCandidates, testLinks, withPolymorphic } from './look-at-polymorphic.js';
import { rankTables } from './rank-tables.js';
import { columnOf, sqlOf } from './scope.js';
import { ALIAS, columnSql, quotedName } from './sql-text.js';
import { findStem, isAboutPeople, isListOfPeople, isPersonalColumn, type Stems, wordsOf } from './words.js';

/** Tables of an entity that are looked at closer. */
const CLOSER = 4;

/**
 * What the database says about its tables, and what a bounded look at the values of the likeliest ones adds: how far
 * columns are filled, and which columns name other tables although no foreign key says so.
 */
export async function lookAtDatabase(read: ReadOnly): Promise<Catalog> {
  const catalog = await readCatalog(read);
  const measured = await measureLikely(read, catalog, likeliest(rankTables(catalog)));
  const ranking = rankTables(measured);
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
  return withImpliedParents(
    withPairedDetails(await withPolymorphic(read, { ...measured, tested }, near), near),
  );
}

function likeliest(ranking: ReadonlyMap<string, readonly Candidate[]>): ReadonlySet<number> {
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

const SAMPLE = 20_000;
const WITHOUT_COUNT = new Set(['bytes', 'other']);

/**
 * The table with shares that were counted in a sample instead of those of the statistics, which a young database does not
 * have: how many rows have no value (an empty text is none), and of columns with a foreign key whether each value occurs
 * once. Leaves out columns of people; the table as it was where the server refuses.
 */
async function measureColumns(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const linking = new Set(table.foreignKeys.flatMap(({ columns }) => (columns.length === 1 ? columns : [])));
  const columns = table.columns.filter(
    ({ name, kind, selectable }) => selectable && !WITHOUT_COUNT.has(kind) && !isPersonalColumn(name),
  );
  if (columns.length === 0) return table;
  const counts = columns.map((column, at) => {
    const number = String(at);
    const different = linking.has(column.name) ? `, count(distinct s.c${number}) as d${number}` : '';
    return `count(${filledSql(column, `s.c${number}`)}) as n${number}${different}`;
  });
  const answer = await read.attempt<Record<string, string>>(
    `select count(*) as rows, ${counts.join(', ')} from (select ${columns
      .map(({ sqlName }, at) => `${sqlName} as c${String(at)}`)
      .join(', ')} from ${table.sqlName} limit ${String(SAMPLE)}) s`,
  );
  const row = 'rows' in answer ? answer.rows[0] : undefined;
  const rows = Number(row?.rows ?? 0);
  if (row === undefined || rows === 0) return table;
  const measured = new Map(
    columns.map((column, at): [string, CatalogColumn] => {
      const filled = Number(row[`n${String(at)}`]);
      const different = row[`d${String(at)}`];
      const once = different !== undefined && filled > 0 && Number(different) === filled;
      return [
        column.name,
        { ...column, nullShare: 1 - filled / rows, ...(once ? { distinct: -filled / rows } : {}) },
      ];
    }),
  );
  return { ...table, columns: table.columns.map((column) => measured.get(column.name) ?? column) };
}

function filledSql({ kind }: CatalogColumn, sql: string): string {
  return kind === 'text' ? `nullif(btrim(left(cast(${sql} as text), 40)), '')` : sql;
}

/** Further down than all other tables that are made. */
const FIRST = -100_000;

/**
 * The catalogue with a child for each address book that a table of pairs joins to records of an entity: the addresses of
 * companies, by way of `company_address`.
 *
 * @param near tables that may be of an entity
 */
function withPairedDetails(catalog: Catalog, near: ReadonlySet<number>): Catalog {
  const links = findLinks(catalog);
  const tables: CatalogTable[] = [];
  const tested = [...(catalog.tested ?? [])];
  for (const down of links.filter(({ to, from }) => near.has(to.oid) && !near.has(from.oid))) {
    if (down.guessed && !down.tested) continue;
    const up = links.find(
      ({ from, to, guessed, tested: share }) =>
        from.oid === down.from.oid &&
        to.oid !== down.to.oid &&
        !near.has(to.oid) &&
        (!guessed || share !== undefined) &&
        findStem(wordsOf(to.name), PLACES) >= 0 &&
        !isList(to, catalog),
    );
    const linking = columnOf(down.from, down.column);
    if (!up || !linking || !isPair(down.from)) continue;
    const name = `of_${down.column}`;
    const sqlName = `"${name.replaceAll('"', '""')}"`;
    const oid = FIRST - tables.length;
    tables.push({
      ...up.to,
      oid,
      sqlName: `(select p.${linking.sqlName} as ${sqlName}, d.* from ${down.from.sqlName} p join ${up.to.sqlName} d on d.${sqlOf(up.to, up.toColumn)} = p.${sqlOf(down.from, up.column)})`,
      comment: `${up.to.title} by way of ${down.from.comment ?? down.from.title}`,
      rows: null,
      exact: false,
      columns: [...up.to.columns, { ...linking, name, sqlName }],
      uniqueKeys: [],
      referencedBy: [],
      polymorphic: true,
    });
    tested.push({
      from: oid,
      column: name,
      to: down.to.oid,
      toColumn: down.toColumn,
      values: 1,
      found: 1,
      ...down.tested,
    });
  }
  return { ...catalog, tables: [...catalog.tables, ...tables], tested };
}

/** A list of places that others name: cities, branches of a chain. */
function isList(table: CatalogTable, { tables }: Catalog): boolean {
  return (
    table.columns.length < 4 ||
    tables.filter(({ foreignKeys }) => foreignKeys.some(({ to }) => to === table.oid)).length > 3
  );
}

/** Hardly more than its two ends. */
function isPair({ columns }: CatalogTable): boolean {
  return columns.length <= 8;
}

const PARENT_NAME = /^(name|nama)$/;

/** The parent that columns of a table are about. */
interface Implied {
  readonly words: Stems;
  /** `company`, `companies`. */
  readonly noun: { readonly one: string; readonly many: string };
  /** The column that names it: `company_key`. */
  readonly key: string;
}

/**
 * The catalogue with a table of companies for each table of vacancies that only repeats their names: `company_name` beside
 * `title`. One row for each name, without regard to case and blanks at its ends; the vacancies name it by `company_key`.
 */
function withImpliedParents(catalog: Catalog): Catalog {
  const links = findLinks(catalog);
  const made: CatalogTable[] = [];
  const tables = catalog.tables.map((table): CatalogTable => {
    const implied = impliedBy(table);
    if (implied === null) return table;
    const linked = links.some(
      ({ from, to }) => from.oid === table.oid && findStem(wordsOf(to.name), implied.words) >= 0,
    );
    const name = table.columns.find(
      (column) =>
        column.kind === 'text' &&
        column.selectable &&
        PARENT_NAME.test(ofParent(column, implied.words) ?? ''),
    );
    if (linked || !name) return table;
    const key = `lower(btrim(${ALIAS}.${name.sqlName}))`;
    made.push(parentsOf(table, name, key, implied, -1 - made.length));
    return { ...table, columns: [...table.columns, { ...name, name: implied.key, sqlName: key }] };
  });
  return { ...catalog, tables: [...tables, ...made] };
}

function impliedBy(table: CatalogTable): Implied | null {
  if (isAboutPeople(table) || !table.selectable) return null;
  const child = DRAFTABLES.find(
    ({ sure, parentWords }) => parentWords.length > 0 && findStem(wordsOf(table.name), sure) >= 0,
  );
  const parent = child?.entity.parent;
  return child && parent
    ? { words: child.parentWords, noun: entity(parent.entity).noun, key: parent.column }
    : null;
}

/** The rest of a column's name when it is about the parent: `company_website` is `website`. */
function ofParent({ name }: CatalogColumn, parentWords: Stems): string | null {
  const words = wordsOf(name);
  const rest = words.filter((word) => findStem([word], parentWords) < 0);
  return rest.length < words.length && rest.length > 0 ? rest.join('_') : null;
}

function parentsOf(
  table: CatalogTable,
  name: CatalogColumn,
  key: string,
  implied: Implied,
  oid: number,
): CatalogTable {
  const parts: { readonly column: CatalogColumn; readonly rest: string }[] = [];
  for (const column of table.columns) {
    const rest = ofParent(column, implied.words);
    const fit = column.selectable && column.kind === 'text' && !isPersonalColumn(column.name);
    // `company_name` and `employer_name` would both be `name`.
    if (rest !== null && fit && !parts.some((part) => part.rest === rest)) parts.push({ column, rest });
  }
  const own = (column: CatalogColumn) => columnSql('r', column);
  const lines = [
    `${key.replaceAll(ALIAS, 'r')} as ${implied.key}`,
    ...parts.map(({ column, rest }) => `min(nullif(btrim(${own(column)}), '')) as ${quotedName(rest)}`),
  ];
  const sqlName = [
    '(',
    `  select ${lines.join(',\n    ')}`,
    `  from ${table.sqlName} r`,
    `  where btrim(${own(name)}) <> ''`,
    '  group by 1',
    ')',
  ].join('\n');
  const column = (source: CatalogColumn, called: string): CatalogColumn => ({
    ...source,
    name: called,
    sqlName: quotedName(called),
    nullable: called !== implied.key,
  });
  return {
    ...table,
    oid,
    name: implied.noun.one,
    sqlName,
    kind: 'table',
    comment: `the ${implied.noun.many} that ${table.title} names`,
    rows: null,
    exact: false,
    columns: [column(name, implied.key), ...parts.map(({ column: each, rest }) => column(each, rest))],
    primaryKey: [implied.key],
    uniqueKeys: [[implied.key]],
    foreignKeys: [],
    referencedBy: [],
    indexes: [],
    checks: [],
    triggers: [],
  };
}
