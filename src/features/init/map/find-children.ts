import { skillCodeSql } from '../../../core/contract/doubts.js';
import {
  type CatalogColumn,
  type CatalogTable,
  columnOf,
  foreignColumns,
  isUnique,
} from '../../catalog/catalog.js';
import { type Link, linkOf, linksFrom, linksTo } from '../links.js';
import { columnMatches, type Known } from '../rank/column-matches.js';
import { columnSql, qualified } from '../sql-text.js';
import { findStem, isPersonalColumn, isReadable, PLACES, plainName, stems, wordsOf } from '../words.js';
import { type CodeSource, type DraftColumn, draftColumn, renderJoin } from './draft-query.js';
import { codedColumn, ownColumn } from './find-code.js';
import { findRegion, meaningsOf } from './find-region.js';
import { createScope, fullName, type Place, type Scope } from './scope.js';

/**
 * What the tables below a record say about it, where its own columns do not: one grouped join for each child, so that no
 * child multiplies rows, and no join runs once for each record.
 *
 * @param missing columns of the contract that nothing fills yet
 * @param entities tables of other entities: they are no details
 */
export function findInChildren(
  scope: Scope,
  place: Place,
  entity: Known,
  missing: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const found: DraftColumn[] = [];
  for (const link of linksTo(scope.links, place.table)) {
    const { from: table } = link;
    if ((link.guessed && !link.tested) || entities.has(table.oid) || table.kind.includes('view')) continue;
    if (findStem(wordsOf(table.name), DETAILS) < 0) continue;
    const matches = columnMatches(entity, table, meaningsOf(table, scope.links)).filter(
      ({ target, column, score }) =>
        score >= ENOUGH &&
        missing.has(target) &&
        !found.some((each) => each.target === target) &&
        column.name !== link.column &&
        !entities.has(linkOf(scope.links, table, column.name)?.to.oid ?? 0) &&
        column.selectable &&
        isFit(target, table),
    );
    if (matches.length === 0) continue;
    const child = { table, alias: scope.short(table.name) };
    const language = table.columns.find(({ name }) => LANGUAGE.test(plainName(name)));
    const main = mainOf(table);
    const order = orderOf(child, language, main);
    const inner = createScope(child.alias, scope.links, scope.known);
    const columns = matches.map(({ target, kind, column, score }): DraftColumn => {
      const personal = isPersonalColumn(column.name) || kind === 'person';
      const sql = columnSql(child.alias, column);
      if (kind === 'code') return { ...codedColumn(target, inner, child, column), column, personal, score };
      return draftColumn({ target, kind, sql, column, from: fullName(table, column.name), personal, score });
    });
    const alias = scope.child(place, link, {
      alias: child.alias,
      from: [
        `from ${table.sqlName} ${child.alias}`,
        ...inner.joins().flatMap((join) => renderJoin(join, true)),
      ],
      picks: columns.map((column) => ({
        name: column.target,
        sql: pickSql(column, order),
        personal: column.personal,
      })),
      comment: commentOn(table, language, main, link.column),
    });
    for (const { codes, sql, ...column } of columns) {
      const picked = `${alias}.${column.target}`;
      found.push({ ...column, sql: picked, codes: codes && outside(codes, sql, picked) });
    }
  }
  return found;
}

/** Children whose columns belong to the record itself: where it is, what it pays, its texts. */
const DETAILS =
  stems(`contact, kontak, address, alamat, location, lokasi, office, kantor, branch, cabang, salary, gaji, pay, compensation,
  remuneration, upah, detail, profile, profil, translation, terjemahan, text, content, i18n, requirement, syarat, persyaratan, kualifikasi, qualification,
  session, sesi, schedule, jadwal, meeting, pertemuan, fee, biaya, cost, price, site, place, venue, enrichment, extra, attribute, description, deskripsi, info, language, spec, kriteria, criteria, body, wage, currency, date, period, criterion, batch, angkatan, gelombang`);

const LANGUAGE = /^(lang|language|locale|bahasa|language_code|lang_code|locale_code|kode_bahasa)$/;

/** A branch's name is not the company's; a translation's is. */
function isFit(target: string, table: CatalogTable): boolean {
  // Whether the parts of a price are a sum, or which one it is, nobody knows.
  if (target === 'price') return false;
  const words = wordsOf(table.name);
  if (['description', 'about', 'qualification'].includes(target)) return findStem(words, WITHOUT_TEXTS) < 0;
  const only = ONLY_IN.find(({ targets }) => targets.includes(target))?.tables;
  return only === undefined || findStem(words, only) >= 0;
}

const WITHOUT_TEXTS = [...PLACES, ...stems('contact, kontak, salary, gaji')];

const ONLY_IN = [
  {
    targets: ['name', 'title'],
    tables: stems('translation, terjemahan, text, content, i18n, language, detail, profile, profil, info'),
  },
  {
    targets: ['start_date', 'finish_date', 'expired_date', 'quota'],
    tables: stems(
      'session, sesi, schedule, jadwal, meeting, pertemuan, period, date, detail, info, spec, batch, angkatan, gelombang',
    ),
  },
  {
    targets: ['expire_at', 'status', 'job_type', 'job_function', 'media'],
    tables: stems('detail, info, spec'),
  },
];

/** Names of the codes are looked up outside of the group, by what it gives. */
function outside(codes: CodeSource, inner: string, outer: string): CodeSource {
  const [join] = codes.joins;
  if (join?.kind !== 'parent') return { ...codes, joins: [], labelSql: null };
  return { ...codes, joins: [{ ...join, on: join.on.replace(inner, () => outer) }] };
}

/** The flag of the main one of several rows: `is_head_office`. A text or number is one only by its name. */
function mainOf(table: CatalogTable): CatalogColumn | undefined {
  const linking = foreignColumns(table);
  return table.columns.find(
    (column) =>
      isReadable(column) &&
      !linking.has(column.name) &&
      (column.kind === 'boolean' || wordsOf(column.name)[0] === 'is') &&
      MAIN.test(plainName(column.name)),
  );
}

const MAIN = /(^|_)(main|primary|utama|default|pusat|head|hq|ho|induk|principal|lead|registered)(_|$)/;

function orderOf(
  { table, alias }: Place,
  language: CatalogColumn | undefined,
  main: CatalogColumn | undefined,
): string {
  const place = table.columns.find(
    (column) =>
      isReadable(column) && ['integer', 'number'].includes(column.kind) && ORDER.test(plainName(column.name)),
  );
  const keys = table.primaryKey ?? table.columns.slice(0, 2).map(({ name }) => name);
  return [
    ...(language ? [`(${columnSql(alias, language)}::text ilike 'id%') desc`] : []),
    ...(main ? [`${columnSql(alias, main)} desc nulls last`] : []),
    ...(place ? [columnSql(alias, place)] : []),
    ...keys.map((name) => qualified(table, alias, name)),
  ].join(', ');
}

const ORDER = /^(position|sort|sort_order|order|urutan|seq|sequence|no_urut|rank|urut|ordinal|line_no)$/;

/** One value of all rows of a record: the first and the last day, else that of one row. */
function pickSql({ target, kind, sql }: DraftColumn, order: string): string {
  if (target === 'start_date') return `min(${sql})`;
  if (target === 'finish_date' || target === 'expired_date') return `max(${sql})`;
  if (kind !== 'list') return `(array_agg(${sql} order by ${order}))[1]`;
  const code = skillCodeSql(sql);
  return `array_remove(array_agg(distinct ${code} order by ${code}), null)`;
}

function commentOn(
  table: CatalogTable,
  language: CatalogColumn | undefined,
  main: CatalogColumn | undefined,
  link: string,
): string | null {
  if (language) return `decide: ${table.name} has texts by ${language.name}; this takes Indonesian first`;
  if (isUnique(table, link)) return null;
  const which = main ? `the main one by ${main.name}` : 'the first';
  return `decide: a record may have several rows in ${table.name}; this takes ${which}; of days it takes the first or the last`;
}

/**
 * Columns that the record's own table does not have, by way of a table that nearly each row names another row of: a company
 * whose address is kept with its partner.
 *
 * @param entities tables of all entities
 */
export function findOneToOne(
  scope: Scope,
  place: Place,
  entity: Known,
  missing: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const found: DraftColumn[] = [];
  for (const link of linksFrom(scope.links, place.table)) {
    if (!isOneToOne(link, entities)) continue;
    const matches = columnMatches(entity, link.to, meaningsOf(link.to, scope.links)).filter(
      ({ target, score, column }) =>
        missing.has(target) &&
        !OWN.has(target) &&
        score >= ENOUGH &&
        column.selectable &&
        !found.some((each) => each.target === target),
    );
    const region = matches.find(({ target }) => target === 'region_id');
    // Tried in a scope of its own, so that a way that leads nowhere leaves no join.
    const located =
      missing.has('region_id') &&
      findRegion(createScope('x', scope.links, scope.known), { table: link.to, alias: 'x' }, region) !== null;
    const plain = matches.filter(({ target }) => target !== 'region_id');
    if (plain.length === 0 && !located) continue;
    const there = scope.parent(place, link);
    found.push(...plain.map((match) => ownColumn(scope, there, match)));
    const city = located ? findRegion(scope, there, region) : null;
    if (city) found.push(city);
  }
  return found;
}

/** What the other row is called is not what the record is called. */
const OWN = new Set(['name', 'title']);
/** Names that are worth a column of another table. */
const ENOUGH = 5;

function isOneToOne({ from, to, column }: Link, entities: ReadonlySet<number>): boolean {
  if (to.oid === from.oid || entities.has(to.oid) || (from.rows ?? 0) < LEAST_ROWS) return false;
  const { distinct = null, nullShare = null } = columnOf(from, column) ?? {};
  const filled = 1 - (nullShare ?? 1);
  // Different values as a share of the rows: as many as rows have one.
  return distinct !== null && filled >= NEARLY_ALL && -distinct >= filled - 0.001;
}

/** Share of the rows that name another row each. */
const NEARLY_ALL = 0.9;
/** Fewer rows are different by chance. */
const LEAST_ROWS = 5;
