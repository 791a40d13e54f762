import { entity } from '../../entities/index.js';
import type { Catalog, CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { ALIAS, columnSql } from './column-sql.js';
import { DRAFTABLES } from './draftable.js';
import { findLinks } from './links.js';
import { isAboutPeople, isPersonalColumn } from './people.js';
import { quotedName } from './sql-text.js';
import { findStem, wordsOf, type Stems } from './words.js';

const NAME = /^(name|nama)$/;

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
export function withImpliedParents(catalog: Catalog): Catalog {
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
        column.kind === 'text' && column.selectable && NAME.test(ofParent(column, implied.words) ?? ''),
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
