import { skillCodeSql } from '../../../contract/doubts.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import type { Draftable } from '../draftables.js';
import type { Link } from '../links.js';
import { type ColumnMatch, columnMatches, type Known } from '../rank/column-matches.js';
import { columnSql } from '../sql-text.js';
import { findStem, isPersonalColumn, stems, wordsOf } from '../words.js';
import type { CodeSource, DraftColumn, GroupedColumn } from './draft-query.js';
import { coded, findCode, ownColumn } from './find-code.js';
import { findRegion, meaningsOf, PLACES } from './find-region.js';
import { createScope, fullName, type Place, qualified, type Scope } from './scope.js';

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
  for (const link of scope.links.filter(
    ({ to, from }) => to.oid === place.table.oid && from.oid !== to.oid,
  )) {
    const { from: table } = link;
    if ((link.guessed && !link.tested) || entities.has(table.oid) || table.kind.includes('view')) continue;
    const attributes = scope.known.attributes.has(table.oid);
    if (!attributes && findStem(wordsOf(table.name), DETAILS) < 0) continue;
    const matches = columnMatches(entity, table, meaningsOf(table, scope.links)).filter(
      ({ target, column }) =>
        missing.has(target) &&
        !found.some((each) => each.target === target) &&
        column.name !== link.column &&
        column.selectable &&
        (attributes || isFit(target, table)),
    );
    const usable = matches.filter(({ score }) => score >= 5);
    if (usable.length === 0) continue;
    const child = { table, alias: scope.short(table.name) };
    const language = table.columns.find(({ name }) => LANGUAGE.test(wordsOf(name).join('_')));
    const main = mainFirst(child);
    const order = orderOf(child, language, main);
    const inner = createScope(child.alias, scope.links, scope.known);
    const columns = usable.map((match) => ({ match, code: codeOf(inner, child, match) }));
    const picks = columns.map(({ match, code }): GroupedColumn => ({
      name: match.target,
      sql: pickSql(match, code.sql, order, {
        attributes,
        several: SEVERAL.has(match.target) && language === undefined,
      }),
      personal: isPersonalColumn(match.column.name) || match.kind === 'person',
    }));
    const alias = scope.child(place, link, {
      alias: child.alias,
      from: [
        `from ${table.sqlName} ${child.alias}`,
        ...inner
          .joins()
          .map((join) =>
            join.kind === 'parent' ? `left join ${join.table} ${join.alias} on ${join.on}` : '',
          ),
      ],
      picks,
      comment: attributes
        ? `decide: ${table.name} has one row for each attribute`
        : commentOn(
            table,
            language,
            main,
            link.column,
            usable.map(({ target }) => target),
          ),
    });
    found.push(
      ...columns.map(({ match, code }, at): DraftColumn => ({
        target: match.target,
        kind: match.kind,
        sql: `${alias}.${match.target}`,
        column: match.column,
        from: fullName(table, match.column.name),
        personal: picks[at]?.personal ?? true,
        codes: code.codes && outside(code.codes, code.sql, `${alias}.${match.target}`),
        comments: [],
      })),
    );
  }
  return found;
}

/** Children whose columns belong to the record itself: where it is, what it pays, its texts. */
const DETAILS =
  stems(`contact, kontak, address, alamat, location, lokasi, office, kantor, branch, cabang, salary, gaji, pay, compensation,
  remuneration, upah, detail, profile, profil, translation, terjemahan, text, content, i18n, requirement, syarat, persyaratan, kualifikasi, qualification,
  session, sesi, schedule, jadwal, meeting, pertemuan, fee, biaya, cost, price, site, place, venue, enrichment, extra, attribute, description, deskripsi, info, language, spec, kriteria, criteria, body, wage, currency, date, period, criterion`);

const LANGUAGE = /^(lang|language|locale|bahasa|language_code|lang_code|locale_code|kode_bahasa)$/;

/** A branch's name is not the company's; a translation's is. */
function isFit(target: string, table: CatalogTable): boolean {
  const words = wordsOf(table.name);
  if (target === 'name' || target === 'title')
    return (
      findStem(
        words,
        stems('translation, terjemahan, text, content, i18n, language, detail, profile, profil, info'),
      ) >= 0
    );
  if (['description', 'about', 'qualification'].includes(target))
    return findStem(words, PLACES) < 0 && findStem(words, stems('contact, kontak, salary, gaji')) < 0;
  if (target === 'price') return findStem(words, stems('fee, biaya, cost, price, detail')) >= 0;
  if (['start_date', 'finish_date'].includes(target))
    return (
      findStem(words, stems('session, sesi, schedule, jadwal, meeting, pertemuan, period, date, detail')) >= 0
    );
  if (['expire_at', 'expired_date', 'status', 'job_type', 'job_function', 'media', 'quota'].includes(target))
    return findStem(words, stems('detail, info, spec')) >= 0;
  return true;
}

function codeOf(inner: Scope, child: Place, { kind, column }: ColumnMatch) {
  if (kind !== 'code') return { sql: columnSql(child.alias, column), codes: null };
  const { sql, codes } = findCode(inner, child, column);
  return { sql, codes };
}

/** Names of the codes are looked up outside of the group, by what it gives. */
function outside(codes: CodeSource, inner: string, outer: string): CodeSource {
  const [join] = codes.joins;
  if (join?.kind !== 'parent') return { ...codes, joins: [], labelSql: null };
  return { ...codes, joins: [{ ...join, on: join.on.replace(inner, () => outer) }] };
}

/** Prefers a flag (`is_head_office`) to a type (`kind` with `head_office`). Null: nothing says which row is the main one. */
function mainFirst({ table, alias }: Place): MainFirst | null {
  const linking = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const fit = table.columns.filter(
    ({ name, selectable }) => selectable && !linking.has(name) && !isPersonalColumn(name),
  );
  const flag = (pattern: RegExp) => fit.find((column) => isFlag(column) && pattern.test(plain(column)));
  const main = flag(MAIN);
  if (main) return { column: main.name, order: `${columnSql(alias, main)} desc nulls last` };
  const branch = flag(BRANCH);
  if (branch) return { column: branch.name, order: columnSql(alias, branch) };
  const sort = fit.find((column) => ['text', 'enum'].includes(column.kind) && SORT.test(plain(column)));
  if (!sort) return null;
  const text = `${columnSql(alias, sort)}${sort.kind === 'enum' ? '::text' : ''}`;
  return { column: sort.name, order: `(${text} ~* '${CALLED}') desc nulls last` };
}

/** A column that says which of several rows of a record is the main one, and how to sort by it. */
interface MainFirst {
  readonly column: string;
  readonly order: string;
}

const MAIN = /(^|_)(main|primary|utama|default|pusat|head|hq|ho|induk|principal|lead|registered)(_|$)/;
const BRANCH = /(^|_)(branch|cabang|secondary)(_|$)/;

const SORT =
  /^((address|office|location|branch|site|alamat|kantor|lokasi|cabang)_)?(type|kind|role|tipe|jenis|sort|category|kategori)(_(address|office|location|branch|site|alamat|kantor|lokasi|cabang))?$/;

/** What the type of a main address or office is called. */
const CALLED = 'head|main|primary|pusat|utama|induk|^h[oq]$';

/** A text or number is a flag only by its name: `head_office` may be an address, `main_id` another row. */
function isFlag({ name, kind }: CatalogColumn): boolean {
  return kind === 'boolean' || (['integer', 'text', 'enum'].includes(kind) && wordsOf(name)[0] === 'is');
}

function plain({ name }: CatalogColumn): string {
  return wordsOf(name).join('_');
}

function orderOf(
  { table, alias }: Place,
  language: CatalogColumn | undefined,
  main: MainFirst | null,
): string {
  const readable = table.columns.filter(({ name, selectable }) => selectable && !isPersonalColumn(name));
  const named = (pattern: RegExp, kinds: readonly string[]) =>
    readable.find(({ name, kind }) => kinds.includes(kind) && pattern.test(wordsOf(name).join('_')));
  const place = named(ORDER, ['integer', 'number']);
  const keys = table.primaryKey ?? table.columns.slice(0, 2).map(({ name }) => name);
  return [
    ...(language ? [`(${columnSql(alias, language)}::text ilike 'id%') desc`] : []),
    ...(main ? [main.order] : []),
    ...(place ? [columnSql(alias, place)] : []),
    ...keys.map((name) => qualified(table, alias, name)),
  ].join(', ');
}

const ORDER = /^(position|sort|sort_order|order|urutan|seq|sequence|no_urut|rank|urut|ordinal|line_no)$/;

/** One value of all rows of a record. */
function pickSql(
  { target, column, kind }: ColumnMatch,
  sql: string,
  order: string,
  { attributes, several }: { readonly attributes: boolean; readonly several: boolean },
): string {
  const whole = WHOLE[target];
  if (whole) return whole(sql);
  if (kind === 'list') {
    const code = skillCodeSql(sql);
    return `array_remove(array_agg(distinct ${code} order by ${code}), null)`;
  }
  if (several) return `string_agg(${sql}${column.kind === 'text' ? '' : '::text'}, E'\\n' order by ${order})`;
  return attributes ? `max(${sql})` : `(array_agg(${sql} order by ${order}))[1]`;
}

/** What all rows of a child say together. */
const WHOLE: Readonly<Record<string, (sql: string) => string>> = {
  start_date: (sql) => `min(${sql})`,
  finish_date: (sql) => `max(${sql})`,
  price: (sql) => `sum(${sql})`,
};

/** Texts that may stand in several rows; of all others one row is taken. */
const SEVERAL = new Set(['qualification', 'description']);

function commentOn(
  table: CatalogTable,
  language: CatalogColumn | undefined,
  main: MainFirst | null,
  link: string,
  targets: readonly string[],
): string | null {
  if (language) return `decide: ${table.name} has texts by ${language.name}; this takes Indonesian first`;
  const single = table.uniqueKeys.some((columns) => columns.length === 1 && columns[0] === link);
  if (single) return null;
  if (targets.every((target) => WHOLE[target] !== undefined))
    return `decide: ${targets.join(' and ')} of all rows in ${table.name} together`;
  return `decide: a record may have several rows in ${table.name}; this takes ${main ? `the main one by ${main.column}` : 'the first'}`;
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
  entity: Draftable,
  missing: ReadonlySet<string>,
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const found: DraftColumn[] = [];
  for (const link of scope.links.filter((each) => isOneToOne(each, place.table, entities))) {
    const matches = columnMatches(entity, link.to, meaningsOf(link.to, scope.links)).filter(
      ({ target, score, column }) =>
        missing.has(target) &&
        !OWN.has(target) &&
        score >= ENOUGH &&
        column.selectable &&
        !found.some((each) => each.target === target),
    );
    const region = matches.find(({ target }) => target === 'region_id');
    const isHere = (within: Scope, at: Place) => coded('region_id', findRegion(within, at, region));
    // Tried in a scope of its own, so that a way that leads nowhere leaves no join.
    const located =
      missing.has('region_id') &&
      isHere(createScope('x', scope.links, scope.known), { table: link.to, alias: 'x' }) !== null;
    const plain = matches.filter(({ target }) => target !== 'region_id');
    if (plain.length === 0 && !located) continue;
    const there = scope.parent(place, link);
    found.push(...plain.map((match) => ownColumn(scope, there, match)));
    const city = located ? isHere(scope, there) : null;
    if (city) found.push(city);
  }
  return found;
}

/** What the other row is called is not what the record is called. */
const OWN = new Set(['name', 'title']);
/** Names that are worth a column of another table. */
const ENOUGH = 5;

function isOneToOne({ from, to, column }: Link, table: CatalogTable, entities: ReadonlySet<number>): boolean {
  if (from.oid !== table.oid || to.oid === from.oid || entities.has(to.oid)) return false;
  if ((from.rows ?? 0) < LEAST_ROWS) return false;
  const { distinct = null, nullShare = null } = from.columns.find(({ name }) => name === column) ?? {};
  const filled = 1 - (nullShare ?? 1);
  // Different values as a share of the rows: as many as rows have one.
  return distinct !== null && filled >= NEARLY_ALL && -distinct >= filled - 0.001;
}

/** Share of the rows that name another row each. */
const NEARLY_ALL = 0.9;
/** Fewer rows are different by chance. */
const LEAST_ROWS = 5;
