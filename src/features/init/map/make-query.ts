import { entity as entityOf } from '../../../core/entities/index.js';
import { type CatalogTable, columnOf } from '../../catalog/catalog.js';
import { draftable, type Draftable } from '../draftables.js';
import { type Link, linkOf, linkShare, linksFrom } from '../links.js';
import type { Candidate, Ranking } from '../rank.js';
import { columnMatches, HUNDREDTHS, unaskedMatches } from '../rank/column-matches.js';
import { columnSql } from '../sql-text.js';
import { findStem, isPersonalColumn, PLACES, plainName, wordsOf } from '../words.js';
import {
  type DraftColumn,
  draftColumn,
  type DraftQuery,
  emptyColumn,
  inOrder,
  type Offer,
} from './draft-query.js';
import { findInChildren, findOneToOne } from './find-children.js';
import { ownColumn } from './find-code.js';
import { findConditions } from './find-conditions.js';
import { findParentKey } from './find-parent-key.js';
import { findRegion, meaningsOf } from './find-region.js';
import { findSkills } from './find-skills.js';
import { createScope, fullName, keySql, type KnownTables, type Place, type Scope } from './scope.js';

/**
 * The draft of one entity's query, from names and types alone; what the values say comes later. A line of the select list
 * comes from the first that has it: the key, the parent's key, the table's own columns, the region, the skills, places that
 * it names, its children, tables one to one with it, and at last the parent.
 */
export function makeQuery(name: string, table: CatalogTable, context: DraftContext): DraftQuery {
  const entity = { ...draftable(name), refused: context.refused };
  const { parent: relation } = entity.entity;
  const place: Place = { table, alias: entity.alias };
  const scope = createScope(place.alias, context.links, context.known);
  const readable = { ...table, columns: table.columns.filter(({ selectable }) => selectable) };
  const matches = columnMatches(entity, readable, meaningsOf(table, context.links));
  const columns: DraftColumn[] = [];
  const findings: string[] = [];
  const add = (found: DraftColumn | null | undefined): void => {
    if (found && !columns.some(({ target }) => target === found.target)) columns.push(found);
  };
  // What names another entity, or its table, joins it and says nothing else.
  const isJoin = (column: string) => {
    const to = linkOf(context.links, table, column)?.to.oid;
    return [...context.chosen.values()].some(({ oid }) => oid === to);
  };
  add(keyColumn(place));
  const parent = relation && context.chosen.get(relation.entity);
  const above = relation && parent ? findParentKey(scope, place, parent, relation.column) : null;
  if (above) {
    const question =
      parent && otherParents(table, parent, context.ranking.get(relation.entity) ?? [], context.links);
    const { comments } = above.column;
    add(question ? { ...above.column, comments: [...comments, `decide: ${question}`] } : above.column);
    if (question) findings.push(`${relation.column}: ${question}.`);
    if (above.finding !== null) findings.push(above.finding);
  } else if (relation && parent && isRequired(entity, relation.column)) {
    const { one } = entityOf(relation.entity).noun;
    add(emptyColumn(relation.column, `nothing was found that names the ${one}`));
    findings.push(
      `No foreign key of ${table.name}, no name of its columns and none of their values names ${parent.name}: ${relation.column} is null in the draft, and a ${entity.entity.noun.one} needs it.`,
    );
  }
  for (const match of matches) {
    if (match.target === 'region_id' || match.target === 'skills') continue;
    if (match.column.name === above?.column.column?.name || isJoin(match.column.name)) continue;
    add(ownColumn(scope, place, match));
  }
  const region = matches.find(({ target }) => target === 'region_id');
  add(findRegion(scope, place, region?.column.name === above?.column.column?.name ? undefined : region));
  if (entity.targets.some(({ name: target }) => target === 'skills'))
    add(findSkills(scope, place, matches.find(({ target }) => target === 'skills')?.column));
  adjustColumns(place, columns);
  inPlaces(scope, place, entity, add);
  const others = new Set([...context.chosen.values()].map(({ oid }) => oid));
  findInChildren(scope, place, entity, missing(entity, columns), others).forEach(add);
  findOneToOne(scope, place, entity, missing(entity, columns), others).forEach(add);
  if (above && relation && parent) {
    const taken = takeFromParent(
      scope,
      { entity: draftable(relation.entity), table: parent, join: above.place },
      entity.fromParent,
      others,
    );
    taken.forEach(add);
  }
  shareCurrency(columns);
  for (const refused of table.columns.filter(({ selectable }) => !selectable))
    findings.push(`The role may not read ${fullName(table, refused.name)}: the draft leaves it out.`);
  const used = new Set(columns.flatMap(({ column }) => (column ? [column.name] : [])));
  return {
    entity: name,
    table,
    alias: place.alias,
    columns: inOrder(entity, columns),
    offers: findOffers(entity, { ...place, table: readable }, columns),
    joins: scope.joins(),
    conditions: findConditions(scope, place, used),
    findings,
  };
}

/** What the draft of a query needs to know. */
interface DraftContext {
  readonly links: readonly Link[];
  /** The table chosen for each entity. */
  readonly chosen: ReadonlyMap<string, CatalogTable>;
  readonly known: KnownTables;
  /** What the values did not agree with. */
  readonly refused: ReadonlySet<string>;
  /** Tables that may be of each entity. */
  readonly ranking: Ranking;
}

function keyColumn(place: Place): DraftColumn | null {
  const key = keySql(place);
  if (!key) return null;
  const [only] = key.columns;
  const { primaryKey } = place.table;
  const times = primaryKey?.filter((name) => !key.columns.includes(name)) ?? [];
  const guessed =
    primaryKey === null
      ? ['decide: no primary key says so; is it unique and never null?']
      : times.length > 0
        ? [
            `decide: the primary key has ${times.join(', ')}, too, and a time may change; is it unique without?`,
          ]
        : [];
  return draftColumn({
    target: 'key',
    kind: 'key',
    sql: key.sql,
    column: key.columns.length === 1 ? (columnOf(place.table, only) ?? null) : null,
    from: key.columns.map((name) => fullName(place.table, name)).join(', '),
    personal: key.columns.some(isPersonalColumn),
    comments: guessed,
  });
}

/**
 * The question which table the records' parent is, where they name several that may be: which column names which, and in
 * how many of the rows. Null: they name one.
 */
function otherParents(
  table: CatalogTable,
  parent: CatalogTable,
  candidates: readonly Candidate[],
  links: readonly Link[],
): string | null {
  const least = WORTH * (candidates.find((each) => each.table.oid === parent.oid)?.score ?? 0);
  const worth = candidates.filter(({ score, table: { oid } }) => score >= least && oid !== parent.oid);
  const named = [parent, ...worth.map((each) => each.table)].flatMap((to) => {
    const link = linksFrom(links, table).find((each) => each.to.oid === to.oid);
    return link ? [{ to, column: link.column, share: linkShare(table, to, links) }] : [];
  });
  if (named.length < 2 || named[0]?.to !== parent) return null;
  const parts = named.slice(0, SHOWN).map(({ to, column, share }) => {
    const filled = share === null ? '' : `, filled in ${Math.round(100 * share)} % of the rows,`;
    return `${fullName(table, column)}${filled} names ${to.name}`;
  });
  return `${parts.join('; ')}. The draft takes ${parent.name}`;
}

/** Share of the chosen table's score from which on another is worth a question. */
const WORTH = 0.6;
const SHOWN = 3;

function isRequired({ entity }: Draftable, column: string): boolean {
  return entity.columns.some(({ name, required }) => name === column && required === true);
}

/** What columns mean for each other: a range is two amounts, months are no years. */
function adjustColumns(place: Place, columns: DraftColumn[]): void {
  for (const found of ranges(place, columns)) replace(columns, found);
  months(columns);
}

function ranges(place: Place, columns: readonly DraftColumn[]): DraftColumn[] {
  return columns.flatMap((found) => {
    if (found.column?.kind !== 'range') return [];
    const sql = columnSql(place.alias, found.column);
    // Postgres stores [18,35] of whole numbers and days as [18,36).
    const upper = /int|date/.test(found.column.type) ? `upper(${sql}) - 1` : `upper(${sql})`;
    const other = OTHER_END[found.target];
    if (other === undefined) return [{ ...found, sql: upper }];
    return [
      { ...found, sql: `lower(${sql})` },
      { ...found, target: other, sql: upper },
    ];
  });
}

/** The other end of a range, where a column has both. */
const OTHER_END: Readonly<Record<string, string>> = {
  min_salary_amount: 'max_salary_amount',
  min_age: 'max_age',
  start_date: 'finish_date',
};

/** Months here, whole years there. */
function months(columns: DraftColumn[]): void {
  const found = columns.find(({ target }) => target === 'min_experience');
  const isMonths = /month|bulan|bln/.test(plainName(found?.column?.name ?? ''));
  if (!found || !isMonths || found.column?.kind === 'text') return;
  replace(columns, {
    ...found,
    sql: `${found.sql} / 12`,
    comments: [...found.comments, 'decide: months here, whole years there'],
  });
}

function replace(columns: DraftColumn[], found: DraftColumn): void {
  const at = columns.findIndex(({ target }) => target === found.target);
  if (at < 0) columns.push(found);
  else columns[at] = found;
}

/** Address and coordinates by way of the address that the record names. */
function inPlaces(scope: Scope, place: Place, entity: Draftable, add: (column: DraftColumn) => void): void {
  for (const link of linksFrom(scope.links, place.table)) {
    if (findStem(wordsOf(link.to.name), PLACES) < 0) continue;
    const wanted = columnMatches(entity, link.to).filter(
      ({ target, score, column }) =>
        ['address', 'postal_code', 'latitude', 'longitude'].includes(target) &&
        score >= 5 &&
        column.selectable,
    );
    if (wanted.length < 2) continue;
    const there = scope.parent(place, link);
    wanted.forEach((match) => add(ownColumn(scope, there, match)));
  }
}

function missing({ targets }: Draftable, columns: readonly DraftColumn[]): ReadonlySet<string> {
  return new Set(
    targets.map(({ name }) => name).filter((name) => !columns.some(({ target }) => target === name)),
  );
}

/**
 * Columns of a record by way of its parent, each with a line to decide. A parent that has none of them is not joined.
 *
 * @param entities tables of all entities
 */
function takeFromParent(
  scope: Scope,
  { entity, table, join }: ParentTable,
  targets: readonly string[],
  entities: ReadonlySet<number>,
): readonly DraftColumn[] {
  const matches = columnMatches(entity, table, meaningsOf(table, scope.links));
  return targets.flatMap((target) => {
    const match = matches.find((each) => each.target === target);
    const find = (within: Scope, place: Place): DraftColumn | null => {
      if (target !== 'region_id') return match ? ownColumn(within, place, match) : null;
      return (
        findRegion(within, place, match) ??
        findInChildren(within, place, entity, new Set([target]), entities)[0] ??
        findOneToOne(within, place, entity, new Set([target]), entities)[0] ??
        null
      );
    };
    // Tried in a scope of its own, so that a parent without it leaves no join.
    const isThere = find(createScope('x', scope.links, scope.known), { table, alias: 'x' }) !== null;
    const above = isThere ? join() : null;
    const found = above ? find(scope, above) : null;
    return found ? [{ ...found, comments: [`decide: ${target} of its ${entity.entity.noun.one}`] }] : [];
  });
}

/** The parent's table, and how it is joined: null where it cannot be. */
interface ParentTable {
  readonly entity: Draftable;
  readonly table: CatalogTable;
  readonly join: () => Place | null;
}

/** One column with the currency is that of both amounts. */
function shareCurrency(columns: DraftColumn[]): void {
  const currency = columns.find(({ target }) => target.endsWith('_salary_currency'));
  if (!currency) return;
  for (const [amount, target] of Object.entries(CURRENCIES))
    if (columns.some((each) => each.target === amount) && !columns.some((each) => each.target === target))
      columns.push({ ...currency, target });
}

const CURRENCIES = {
  min_salary_amount: 'min_salary_currency',
  max_salary_amount: 'max_salary_currency',
} as const;

/** Columns that fill what nothing else fills, if a person says that they may. */
function findOffers(
  entity: Draftable,
  { table, alias }: Place,
  columns: readonly DraftColumn[],
): readonly Offer[] {
  return unaskedMatches(entity, table)
    .filter(({ target }) => !columns.some((column) => column.target === target))
    .map(({ target, column, question }) => ({
      target,
      sql: HUNDREDTHS.test(plainName(column.name))
        ? `round(${columnSql(alias, column)} / 100.0)`
        : columnSql(alias, column),
      from: fullName(table, column.name),
      question,
    }));
}
