import { skillCodeSql } from '../../../core/contract/doubts.js';
import { type CatalogTable, columnOf, isUnique } from '../../catalog/catalog.js';
import { type Link, linkOf, linksFrom, linksTo } from '../links.js';
import { type ColumnMatch, columnMatches, type Known } from '../rank/column-matches.js';
import { columnSql, sqlOf } from '../sql-text.js';
import { findStem, isPersonalColumn, PLACES, SKILL_WORDS, type Stems, stems, wordsOf } from '../words.js';
import { type CodeSource, type DraftColumn, draftColumn, renderJoin } from './draft-query.js';
import { codedColumn, labelColumn, labelText, ownColumn } from './find-code.js';
import { findRegion, meaningsOf } from './find-region.js';
import { orderQuestion, orderSql } from './group.js';
import { createScope, fullName, type Place, type Scope } from './scope.js';

/**
 * What fills the columns of the contract, for the rows of a table: its own columns, its city, the place or the one row
 * beside it that it names, and the rows below it, as one group for each table, so that none multiplies its rows.
 *
 * @param sought columns of the contract that are to be filled
 * @param entities tables of records: they are no details
 */
export function findColumns(
  scope: Scope,
  place: Place,
  known: Known,
  sought: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const found = new Map<string, DraftColumn>();
  const add = (columns: readonly DraftColumn[]): void => {
    for (const column of columns)
      if (sought.has(column.target) && !found.has(column.target)) found.set(column.target, column);
  };
  const missing = () => new Set([...sought].filter((target) => !found.has(target)));
  if (sought.has('skills')) add(findSkills(scope, place, SKILL_WORDS));
  add(ownColumns(scope, place, known, sought, entities));
  if (missing().has('skills')) add(findSkills(scope, place, TAGS));
  for (const link of linksFrom(scope.links, place.table))
    add(besides(scope, place, link, known, missing(), entities));
  for (const link of linksTo(scope.links, place.table))
    add(belows(scope, place, link, known, missing(), entities));
  return [...found.values()];
}

const TAGS = stems('tag, keyword, label');

function ownColumns(
  scope: Scope,
  place: Place,
  known: Known,
  sought: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const matches = matchesIn(scope, place.table, known, entities);
  const others = matches.filter(({ target }) => target !== 'region_id' && sought.has(target));
  const isCity = ({ target }: ColumnMatch) => target === 'region_id';
  const region = sought.has('region_id') ? findRegion(scope, place, matches.find(isCity)) : null;
  return [...others.map((match) => ownColumn(scope, place, match)), ...(region ? [region] : [])];
}

/** What names a record joins it, and says nothing else. */
function matchesIn(
  { links }: Scope,
  table: CatalogTable,
  known: Known,
  entities: ReadonlySet<number>,
): readonly ColumnMatch[] {
  const columns = table.columns.filter(({ selectable }) => selectable);
  return columnMatches(known, { ...table, columns }, meaningsOf(table, links)).filter(({ column }) => {
    const link = linkOf(links, table, column.name);
    return !link || !entities.has(link.to.oid);
  });
}

/** Of a place that the record names its address; of a row that no other record names everything but its name. */
function besides(
  scope: Scope,
  place: Place,
  link: Link,
  known: Known,
  sought: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const isPlace = findStem(wordsOf(link.to.name), PLACES) >= 0;
  if (link.to.oid === place.table.oid || entities.has(link.to.oid)) return [];
  if (!isPlace && !isOneToOne(link)) return [];
  const targets = [...sought].filter((target) => (isPlace ? OF_PLACES.has(target) : !NAMES.has(target)));
  return ownColumns(scope, scope.parent(place, link), known, new Set(targets), entities).filter(isEnough);
}

const OF_PLACES = new Set(['address', 'postal_code', 'latitude', 'longitude', 'region_id']);
const NAMES = new Set(['name', 'title']);

/** Names that are worth a column of another table. */
function isEnough({ score = ENOUGH }: Pick<DraftColumn, 'score'>): boolean {
  return score >= ENOUGH;
}

const ENOUGH = 5;

/** Nearly all rows name another row each. */
function isOneToOne({ from, column }: Link): boolean {
  const { distinct = null, nullShare = null } = columnOf(from, column) ?? {};
  const filled = 1 - (nullShare ?? 1);
  return (from.rows ?? 0) >= LEAST_ROWS && distinct !== null && filled >= 0.9 && -distinct >= filled - 0.001;
}

/** Fewer rows are different by chance. */
const LEAST_ROWS = 5;

/** Of details, of a table of pairs, and of the one row that names a record. */
function belows(
  scope: Scope,
  place: Place,
  link: Link,
  known: Known,
  sought: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const { from: table } = link;
  if ((link.guessed && !link.tested) || entities.has(table.oid) || table.kind.includes('view')) return [];
  if (findStem(wordsOf(table.name), DETAILS) < 0 && !isPair(scope, table) && !isUnique(table, link.column))
    return [];
  const matches = matchesIn(scope, table, known, entities).filter(
    (match) =>
      isEnough(match) &&
      match.column.name !== link.column &&
      sought.has(match.target) &&
      isFit(match.target, table),
  );
  if (matches.length === 0) return [];
  const child = { table, alias: scope.short(table.name) };
  const inner = createScope(child.alias, scope.links, scope.known);
  const columns = matches.map((match) => columnBelow(inner, child, match));
  const alias = scope.child(place, link, {
    alias: child.alias,
    from: [
      `from ${table.sqlName} ${child.alias}`,
      ...inner.joins().flatMap((join) => renderJoin(join, true)),
    ],
    picks: columns.map((column) => ({
      name: column.target,
      sql: pickSql(column, orderSql(child)),
      personal: column.personal,
    })),
    comment: orderQuestion(link),
  });
  return columns.map(({ codes, sql, ...column }) => {
    const picked = `${alias}.${column.target}`;
    return { ...column, sql: picked, codes: codes && outside(codes, sql, picked) };
  });
}

function columnBelow(
  inner: Scope,
  { table, alias }: Place,
  { target, kind, column, score }: ColumnMatch,
): DraftColumn {
  const personal = isPersonalColumn(column.name) || kind === 'person';
  if (kind === 'code')
    return { ...codedColumn(target, inner, { table, alias }, column), column, personal, score };
  const [sql, from] = [columnSql(alias, column), fullName(table, column.name)];
  return draftColumn({ target, kind, sql, column, from, personal, score });
}

/** Nothing but what names other rows, and a number of its own. */
function isPair({ links }: Scope, table: CatalogTable): boolean {
  const linking = new Set(linksFrom(links, table).map(({ column }) => column));
  return linking.size >= 2 && table.columns.every(({ name, kind }) => linking.has(name) || kind !== 'text');
}

/** Tables whose columns belong to the record itself: where it is, what it pays, its texts and days. */
const OF_PLACE = [...PLACES, ...stems('contact, kontak')];
const OF_PAY = stems('salary, gaji, pay, compensation, remuneration, upah, wage, currency');
const OF_TEXTS = stems(
  'translation, terjemahan, text, content, i18n, language, detail, profile, profil, info',
);
const DETAILS = [
  ...OF_PLACE,
  ...OF_PAY,
  ...OF_TEXTS,
  ...stems(`requirement, syarat, persyaratan, kualifikasi, qualification, session, sesi, schedule, jadwal, meeting, pertemuan, fee,
  biaya, cost, price, enrichment, extra, attribute, description, deskripsi, spec, kriteria, criteria, body, date, period, criterion, batch, angkatan,
  gelombang`),
];

/** A branch's name is not the company's, a translation's is; the parts of a price may be a sum, or a choice. */
function isFit(target: string, table: CatalogTable): boolean {
  const isOf = (some: Stems) => findStem(wordsOf(table.name), some) >= 0;
  if (target === 'price') return false;
  if (NAMES.has(target)) return isOf(OF_TEXTS);
  if (isOf(OF_PLACE)) return OF_PLACES.has(target) || REACHED.has(target);
  return !isOf(OF_PAY) || target.includes('_salary_');
}

const REACHED = new Set(['phone', 'email', 'website', 'region_country_code']);

/** Names of the codes are looked up outside of the group, by what it gives. */
function outside(codes: CodeSource, inner: string, outer: string): CodeSource {
  const [join] = codes.joins;
  if (join?.kind !== 'parent') return { ...codes, joins: [], labelSql: null };
  return { ...codes, joins: [{ ...join, on: join.on.replace(inner, () => outer) }] };
}

/** One value of all rows of a record: the first and the last day, else that of one row. */
function pickSql({ target, kind, sql }: DraftColumn, order: string): string {
  if (target === 'start_date') return `min(${sql})`;
  if (target === 'finish_date' || target === 'expired_date') return `max(${sql})`;
  return kind === 'list' ? skillsSql(skillCodeSql(sql)) : `(array_agg(${sql} order by ${order}))[1]`;
}

function skillsSql(code: string): string {
  return `array_remove(array_agg(distinct ${code} order by ${code}), null)`;
}

/** The skills of a vacancy, of rows below it: of their own text, or of the list that they name. */
function findSkills(scope: Scope, place: Place, words: Stems): readonly DraftColumn[] {
  for (const down of linksTo(scope.links, place.table)) {
    const isOf = ({ name }: CatalogTable) => findStem(wordsOf(name), words) >= 0;
    const up = linksFrom(scope.links, down.from).find(({ to }) => to.oid !== place.table.oid && isOf(to));
    if (!up && !isOf(down.from)) continue;
    const label = labelColumn(up?.to ?? down.from, down.column);
    if (!label) continue;
    const child = scope.short(down.from.name);
    const list = up ? scope.short(up.to.name) : child;
    const code = skillCodeSql(labelText(columnSql(list, label), label));
    const alias = scope.child(place, down, {
      alias: child,
      from: [
        `from ${down.from.sqlName} ${child}`,
        ...(up
          ? [
              `join ${up.to.sqlName} ${list} on ${list}.${sqlOf(up.to, up.toColumn)} = ${child}.${sqlOf(up.from, up.column)}`,
            ]
          : []),
      ],
      picks: [{ name: 'skills', sql: skillsSql(code), personal: false }],
      comment: 'The platform takes skills in lower-case snake_case. No skills give an empty list, not null.',
    });
    const sql = `coalesce(${alias}.skills, cast('{}' as text[]))`;
    const from = fullName(up?.to ?? down.from, label.name);
    return [draftColumn({ target: 'skills', kind: 'list', sql, from })];
  }
  return [];
}
