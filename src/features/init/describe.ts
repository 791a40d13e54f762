import { grouped } from '../../core/domain/text.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { type Catalog, type CatalogTable, columnOf, rowsText } from '../catalog/catalog.js';
import { findLinks, type Link } from './links.js';
import { rank } from './rank.js';
import { SAMPLE } from './look/count-sample.js';
import { factsOf, isOpen } from './look/table-words.js';
import { literal } from './sql-text.js';
import { isListOfPeople } from './words.js';
import { contractText } from './write/contract-text.js';

/**
 * A database as one text, for a colleague or a language model who writes the queries: tables, columns, keys and links, how
 * far columns are filled, the words of those that have few, the keys of JSON. Nothing of people is read, and of other
 * texts nothing but words that many rows share. Then what the queries must return, and how to check them.
 */

/** Characters: with contract and rules at most 30 KB, which a person reads and a model takes. */
const LIMITS = { tables: 17_000, others: 2_000 } as const;

/** Of each entity, the likeliest tables. */
const NEAR = 4;

/**
 * Markdown of at most 30 KB.
 *
 * @param chosen the tables to describe; none: those that may hold records, and what they are linked with
 */
export async function describeDatabase(
  read: ReadOnly,
  catalog: Catalog,
  chosen: readonly CatalogTable[],
): Promise<string> {
  const { database, versionNumber, timeZone, role } = catalog.server;
  const links = findLinks(catalog);
  const order = chosen.length > 0 ? chosen : likeliest(catalog, links);
  const described: string[] = [];
  const left: CatalogTable[] = [];
  for (const table of order) {
    const room = LIMITS.tables - described.join('').length;
    const text = room > 0 ? await tableText(read, table, links) : '';
    if (text !== '' && text.length <= room) described.push(text);
    else left.push(table);
  }
  const others = [...left, ...catalog.tables.filter((table) => !order.includes(table))];
  return [
    `# Database ${database}`,
    `Postgres ${String(Math.floor(versionNumber / 10_000))}, read as ${role}; its sessions are in ${timeZone}. Shares and counts are of at most ${grouped(SAMPLE)} rows of a table. No column about people was read.`,
    ...described,
    ...(others.length > 0 ? [othersText(others)] : []),
    RULES,
    '# What each query returns',
    contractText(),
    '',
  ].join('\n\n');
}

/** The likeliest of each entity in turn, then what these are linked with. */
function likeliest(catalog: Catalog, links: readonly Link[]): readonly CatalogTable[] {
  const ranked = [...rank(catalog).values()].map((some) => some.map(({ table }) => table));
  const first = Array.from({ length: NEAR }, (_, at) => ranked.flatMap((some) => some.slice(at, at + 1)));
  const near = new Set(first.flat().map(({ oid }) => oid));
  const beside = links.flatMap(({ from, to }) =>
    near.has(from.oid) ? [to] : near.has(to.oid) ? [from] : [],
  );
  const oids = new Set([...near, ...beside.map(({ oid }) => oid)]);
  return [...oids].flatMap((oid) => catalog.tables.filter((table) => table.oid === oid && table.selectable));
}

function othersText(tables: readonly CatalogTable[]): string {
  const lines: string[] = [];
  for (const table of tables) {
    const why = isListOfPeople(table, true) ? ', about people' : table.selectable ? '' : ', may not be read';
    const line = `- ${table.title}${sizeText(table)}${why}`;
    if (lines.join('\n').length + line.length > LIMITS.others) break;
    lines.push(line);
  }
  const rest = tables.length - lines.length;
  return [
    '# Other tables',
    '`placement-sync init --describe --table NAME` describes one of them.',
    [...lines, ...(rest > 0 ? [`- and ${grouped(rest)} more`] : [])].join('\n'),
  ].join('\n\n');
}

function sizeText(table: CatalogTable): string {
  const what = table.kind === 'table' ? '' : `${table.kind.replace('-', ' ')}, `;
  const about = table.rows === null || table.exact ? '' : 'about ';
  return ` (${what}${about}${rowsText(table)})`;
}

async function tableText(read: ReadOnly, table: CatalogTable, links: readonly Link[]): Promise<string> {
  const closed = isListOfPeople(table, true);
  const isList = isCodeList(table, links);
  const facts = closed ? new Map<string, string>() : await factsOf(read, table, isList);
  const own = links.filter(({ from }) => from.oid === table.oid);
  const lines = table.columns.map((column) => {
    const to = own.filter((link) => link.column === column.name).map(linkText);
    const key = table.primaryKey?.includes(column.name) ? ['primary key'] : [];
    const values = column.enumLabels ?? column.checkValues;
    const allowed = values ? [`one of ${values.map(literal).join(', ')}`] : [];
    const seen = closed
      ? []
      : [
          !column.selectable
            ? 'may not be read'
            : !isOpen(column, isList)
              ? 'may be about people: not read'
              : (facts.get(column.name) ?? ''),
        ];
    return `- ${column.sqlName}: ${[column.type, ...key, ...to, ...allowed, ...seen].filter(Boolean).join('; ')}`;
  });
  const unique = table.uniqueKeys.filter((columns) => columns.join() !== table.primaryKey?.join());
  const hidden = table.rowSecurity.applies ? ['Row-level security may hide rows from this role.'] : [];
  return [
    `# ${table.sqlName}${sizeText(table)}`,
    ...(closed ? ['About people: nothing of it was read.'] : []),
    ...hidden,
    [...lines, ...unique.map((columns) => `- unique: ${columns.join(', ')}`)].join('\n'),
  ].join('\n\n');
}

/** Few rows that others name, and nothing about people: what a code means is shown. */
function isCodeList(table: CatalogTable, links: readonly Link[]): boolean {
  const { rows, oid, columns } = table;
  const isNamed = links.some(({ from, to }) => to.oid === oid && from.oid !== oid);
  return (
    isNamed &&
    rows !== null &&
    rows <= CODES &&
    columns.length <= FEW_COLUMNS &&
    !isListOfPeople(table, false)
  );
}

const CODES = 40;
const FEW_COLUMNS = 8;

function linkText({ to, toColumn, guessed, tested }: Link): string {
  const how = !guessed
    ? 'foreign key'
    : tested
      ? `${grouped(tested.found)} of ${grouped(tested.values)} values are there`
      : 'by its name';
  return `→ ${to.sqlName}.${columnOf(to, toColumn)?.sqlName ?? toColumn} (${how})`;
}

const RULES = `# Rules for the queries

Write one file for each entity that this database has: \`queries/companies.sql\`, \`vacancies.sql\`, \`institutions.sql\`,
\`trainings.sql\`, \`application-statuses.sql\`.

- One SELECT in each file, without parameters and without a semicolon at its end. One row for each record.
- Name each column as the contract below does. Leave out what this database does not have; invent nothing.
- \`key\` is a text that never changes for a record and is never used again: a primary key. Not a title, a time or a row number.
- \`company_key\` and \`institution_key\` are the \`key\` of the other query, from the same column.
- Return what is published now, and nothing else: no drafts, no deleted rows, no tests. A record that is no longer returned is
  closed at the platform, if the configuration says so. Say in a comment which conditions of publication you chose.
- No ORDER BY chance: no LIMIT, no \`now()\` in a column, no DISTINCT ON without an order that decides.
- \`region_id\` is where the place of work is: a city, not Remote or Onsite. A code or a name is enough; a lookup turns it into an id.
- Pay is a whole number by the month. Convert yearly, weekly and hourly pay, or leave it out; never convert a currency. Pay that is
  not to be shown is left out.
- Return dates as \`date\` and times as \`timestamptz\`: \`at time zone 'Asia/Jakarta'\` where the column has no zone.
- No e-mail address, telephone number or identity number in a title or a description.
- Codes go out as they are stored, as text, wherever the contract says lookup.

Then check, and correct until nothing fails: \`placement-sync doctor --json\`, and \`placement-sync plan\`, which sends nothing.`;
