import type { Catalog, CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { ALIAS, columnSql } from './column-sql.js';
import { ENTITY_WORDS } from './entity-words.js';
import { findLinks } from './links.js';
import { isAboutPeople, isPersonalColumn } from './people.js';
import { findStem, stems, wordsOf } from './words.js';

const COMPANY = stems('company, employer, perusahaan, organisation, organization, instansi');
const NAME = /^(name|nama)$/;
const KEY = 'company_key';

/**
 * The catalogue with a table of companies for each table of vacancies that only repeats their names: `company_name` beside
 * `title`. One row for each name, without regard to case and blanks at its ends; the vacancies name it by `company_key`.
 */
export function withImpliedCompanies(catalog: Catalog): Catalog {
  const links = findLinks(catalog);
  const { sure = [] } = ENTITY_WORDS.vacancies ?? {};
  const implied: CatalogTable[] = [];
  const tables = catalog.tables.map((table): CatalogTable => {
    if (isAboutPeople(table) || !table.selectable || findStem(wordsOf(table.name), sure) < 0) return table;
    const linked = links.some(
      ({ from, to }) => from.oid === table.oid && findStem(wordsOf(to.name), COMPANY) >= 0,
    );
    const name = table.columns.find(
      (column) => column.kind === 'text' && column.selectable && NAME.test(ofCompany(column) ?? ''),
    );
    if (linked || !name) return table;
    const key = `lower(btrim(${ALIAS}.${name.sqlName}))`;
    implied.push(companiesOf(table, name, key, -1 - implied.length));
    return { ...table, columns: [...table.columns, { ...name, name: KEY, sqlName: key }] };
  });
  return { ...catalog, tables: [...tables, ...implied] };
}

/** The rest of a column's name when it is about the company: `company_website` is `website`. */
function ofCompany({ name }: CatalogColumn): string | null {
  const words = wordsOf(name);
  const rest = words.filter((word) => findStem([word], COMPANY) < 0);
  return rest.length < words.length && rest.length > 0 ? rest.join('_') : null;
}

function companiesOf(table: CatalogTable, name: CatalogColumn, key: string, oid: number): CatalogTable {
  const parts = table.columns.flatMap((column) => {
    const rest = ofCompany(column);
    const fit =
      rest !== null && column.selectable && column.kind === 'text' && !isPersonalColumn(column.name);
    return fit ? [{ column, rest }] : [];
  });
  const own = (column: CatalogColumn) => columnSql('r', column);
  const lines = [
    `${key.replaceAll(ALIAS, 'r')} as ${KEY}`,
    ...parts.map(({ column, rest }) => `min(${own(column)}) as "${rest}"`),
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
    sqlName: `"${called}"`,
    nullable: called !== KEY,
  });
  return {
    ...table,
    oid,
    name: 'company',
    sqlName,
    kind: 'table',
    comment: `the companies that ${table.sqlName} names`,
    rows: null,
    exact: false,
    columns: [column(name, KEY), ...parts.map(({ column: each, rest }) => column(each, rest))],
    primaryKey: [KEY],
    uniqueKeys: [[KEY]],
    foreignKeys: [],
    referencedBy: [],
    indexes: [],
    checks: [],
    triggers: [],
  };
}
