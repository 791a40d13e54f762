import { escapeIdentifier } from 'pg';
import { entity } from '../../../entities/index.js';
import { type Catalog, type CatalogColumn, type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { DRAFTABLES } from '../draftables.js';
import { findLinks, linksFrom } from '../links.js';
import { ALIAS, columnSql, sqlOf } from '../sql-text.js';
import { findStem, isAboutPeople, isReadable, PLACES, type Stems, wordsOf } from '../words.js';

/**
 * Tables that no application has as such, made as subqueries so that all that follows can treat them as tables:
 * addresses that a table of pairs joins to records, companies that are kept with the users who write for them, and companies
 * that only the names in their vacancies stand for.
 */

/**
 * The catalogue with a child for each address book that a table of pairs joins to records of an entity: the addresses of
 * companies, by way of `company_address`.
 *
 * @param near tables that may be of an entity
 */
export function withPairedDetails(catalog: Catalog, near: ReadonlySet<number>): Catalog {
  const links = findLinks(catalog);
  const tables: CatalogTable[] = [];
  const tested = [...(catalog.tested ?? [])];
  for (const down of links.filter(({ to, from }) => near.has(to.oid) && !near.has(from.oid))) {
    if (down.guessed && !down.tested) continue;
    const up = linksFrom(links, down.from).find(
      ({ to, guessed, tested: share }) =>
        to.oid !== down.to.oid &&
        !near.has(to.oid) &&
        (!guessed || share !== undefined) &&
        findStem(wordsOf(to.name), PLACES) >= 0 &&
        !isList(to, catalog),
    );
    const linking = columnOf(down.from, down.column);
    if (!up || !linking || down.from.columns.length > PAIR_COLUMNS) continue;
    const name = `of_${down.column}`;
    const sqlName = escapeIdentifier(name);
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

/** Further down than all other tables that are made. */
const FIRST = -100_000;

/** A list of places that others name: cities, branches of a chain. */
function isList(table: CatalogTable, { tables }: Catalog): boolean {
  return (
    table.columns.length < 4 ||
    tables.filter(({ foreignKeys }) => foreignKeys.some(({ to }) => to === table.oid)).length > 3
  );
}

/** A table of pairs has hardly more than its two ends. */
const PAIR_COLUMNS = 8;

/**
 * The catalogue with a table of companies for each table of users that vacancies name and that has their names:
 * `company_name` beside `password`. Of the users nothing is taken but their key and what is called after the company.
 */
export function withCompaniesOfUsers(catalog: Catalog): Catalog {
  const made: CatalogTable[] = [];
  const tested = [...(catalog.tested ?? [])];
  for (const child of catalog.tables) {
    const implied = impliedBy(child);
    if (implied === null) continue;
    for (const { columns, to, toColumns } of child.foreignKeys) {
      const users = catalog.tables.find(({ oid }) => oid === to);
      const name = users?.columns.find((column) => isParentName(column, implied));
      const [column, second] = columns;
      const key = columnOf(users ?? { columns: [] }, toColumns[0]);
      if (!users?.selectable || !isAboutPeople(users) || !name || !key?.selectable) continue;
      if (column === undefined || second !== undefined) continue;
      const oid = FIRST_OF_USERS - made.length;
      made.push(companiesAmong(users, { name, key }, implied, oid));
      tested.push({ from: child.oid, column, to: oid, toColumn: implied.key, values: 1, found: 1 });
    }
  }
  return { ...catalog, tables: [...catalog.tables, ...made], tested };
}

const FIRST_OF_USERS = -200_000;

function companiesAmong(
  users: CatalogTable,
  { name, key }: { readonly name: CatalogColumn; readonly key: CatalogColumn },
  implied: Implied,
  oid: number,
): CatalogTable {
  const parts = partsOf(users, implied);
  const lines = [
    `${columnSql('u', key)} as ${implied.key}`,
    ...parts.map(({ column, rest }) => `${columnSql('u', column)} as ${escapeIdentifier(rest)}`),
  ];
  return {
    ...madeOf(users, key, parts, implied, oid),
    sqlName: `(select ${lines.join(', ')} from ${users.sqlName} u where btrim(${columnSql('u', name)}) <> '')`,
    comment: `the ${implied.noun.many} among ${users.title}, those with ${name.name}`,
  };
}

/**
 * The catalogue with a table of companies for each table of vacancies that only repeats their names: `company_name` beside
 * `title`. One row for each name, without regard to case and blanks at its ends; the vacancies name it by `company_key`.
 */
export function withImpliedParents(catalog: Catalog): Catalog {
  const links = findLinks(catalog);
  const made: CatalogTable[] = [];
  const tables = catalog.tables.map((table): CatalogTable => {
    const implied = impliedBy(table);
    if (implied === null) return table;
    const linked = linksFrom(links, table).some(({ to }) => findStem(wordsOf(to.name), implied.words) >= 0);
    const name = table.columns.find((column) => isParentName(column, implied));
    if (linked || !name) return table;
    const key = `lower(btrim(${ALIAS}.${name.sqlName}))`;
    made.push(parentsOf(table, name, key, implied, -1 - made.length));
    return { ...table, columns: [...table.columns, { ...name, name: implied.key, sqlName: key }] };
  });
  return { ...catalog, tables: [...tables, ...made] };
}

/** A text that is called like the name of a parent: `company_name`. */
function isParentName(column: CatalogColumn, { words }: Implied): boolean {
  return column.kind === 'text' && column.selectable && PARENT_NAME.test(ofParent(column, words) ?? '');
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

/** What a table says about the parent, by what is left of its columns' names. */
function partsOf(table: CatalogTable, implied: Implied): readonly Part[] {
  const parts: Part[] = [];
  for (const column of table.columns) {
    const rest = ofParent(column, implied.words);
    // `company_name` and `employer_name` would both be `name`.
    if (
      rest !== null &&
      isReadable(column) &&
      column.kind === 'text' &&
      !parts.some((part) => part.rest === rest)
    )
      parts.push({ column, rest });
  }
  return parts;
}

interface Part {
  readonly column: CatalogColumn;
  readonly rest: string;
}

function parentsOf(
  table: CatalogTable,
  name: CatalogColumn,
  key: string,
  implied: Implied,
  oid: number,
): CatalogTable {
  const parts = partsOf(table, implied);
  const own = (column: CatalogColumn) => columnSql('r', column);
  const lines = [
    `${key.replaceAll(ALIAS, 'r')} as ${implied.key}`,
    ...parts.map(({ column, rest }) => `min(nullif(btrim(${own(column)}), '')) as ${escapeIdentifier(rest)}`),
  ];
  const sqlName = [
    '(',
    `  select ${lines.join(',\n    ')}`,
    `  from ${table.sqlName} r`,
    `  where btrim(${own(name)}) <> ''`,
    '  group by 1',
    ')',
  ].join('\n');
  const comment = `the ${implied.noun.many} that ${table.title} names, by their names`;
  return { ...madeOf(table, name, parts, implied, oid), sqlName, comment };
}

/** What made tables have in common. */
function madeOf(
  table: CatalogTable,
  key: CatalogColumn,
  parts: readonly Part[],
  implied: Implied,
  oid: number,
): CatalogTable {
  const column = (source: CatalogColumn, called: string): CatalogColumn => ({
    ...source,
    name: called,
    sqlName: escapeIdentifier(called),
    nullable: called !== implied.key,
  });
  return {
    ...table,
    oid,
    name: implied.noun.one,
    kind: 'table',
    rows: null,
    exact: false,
    columns: [column(key, implied.key), ...parts.map(({ column: each, rest }) => column(each, rest))],
    primaryKey: [implied.key],
    uniqueKeys: [[implied.key]],
    foreignKeys: [],
    indexes: [],
    updateTriggers: [],
  };
}
