import { entity as entityOf } from '../../entities/index.js';
import type { CatalogTable } from '../catalog/catalog.js';
import { adjustColumns } from './adjust-columns.js';
import { shareCurrency } from './share-currency.js';
import { columnMatches } from './column-matches.js';
import { findOffers } from './find-offers.js';
import { coded, ownColumn } from './own-column.js';
import { takeFromParent } from './take-from-parent.js';
import { draftable, type Draftable } from './draftable.js';
import type { DraftColumn, DraftQuery } from './draft-query.js';
import { findInChildren } from './find-children.js';
import { findConditions } from './find-conditions.js';
import { findOneToOne } from './find-one-to-one.js';
import { findParentKey } from './find-parent-key.js';
import { findRegion, meaningsOf, PLACES } from './find-region.js';
import { findSkills } from './find-skills.js';
import type { Link } from './links.js';
import { otherParents } from './other-parents.js';
import { isPersonalColumn } from './people.js';
import type { Candidate } from './candidate.js';
import { createScope, fullName, keySql, type KnownTables, type Place, type Scope } from './scope.js';
import { NULL_TEXT } from './sql-text.js';
import { findStem, wordsOf } from './words.js';

/** What the draft of a query needs to know. */
export interface DraftContext {
  readonly links: readonly Link[];
  /** The table chosen for each entity. */
  readonly chosen: ReadonlyMap<string, CatalogTable>;
  readonly known: KnownTables;
  /** Tables that may be of each entity. */
  readonly ranking: ReadonlyMap<string, readonly Candidate[]>;
}

/** The draft of one entity's query, from names and types alone; what the values say comes later. Pure. */
export function makeQuery(name: string, table: CatalogTable, context: DraftContext): DraftQuery {
  const entity = draftable(name);
  const { parent: relation, lastDay } = entity.entity;
  const place: Place = { table, alias: entity.alias };
  const scope = createScope(place.alias, context.links, context.known);
  const readable = { ...table, columns: table.columns.filter(({ selectable }) => selectable) };
  const matches = columnMatches(entity, readable, meaningsOf(table, context.links));
  const columns: DraftColumn[] = [];
  const findings: string[] = [];
  const add = (found: DraftColumn | null | undefined): void => {
    if (found && !columns.some(({ target }) => target === found.target)) columns.push(found);
  };
  add(keyColumn(place));
  const parent = relation && context.chosen.get(relation.entity);
  const above = relation && parent ? findParentKey(scope, place, parent, relation.column) : null;
  if (above) {
    const question =
      parent && otherParents(table, parent, context.ranking.get(relation.entity) ?? [], context.links);
    add(question ? asking(above.column, question) : above.column);
    if (question) findings.push(`${relation.column}: ${question}.`);
    if (above.finding !== null) findings.push(above.finding);
  } else if (relation && isRequired(entity, relation.column)) {
    const { one } = entityOf(relation.entity).noun;
    add(unknownKey(relation.column, one));
    findings.push(
      `No foreign key of ${table.name}, no name of its columns and none of their values names ${parent ? parent.name : `a ${one}`}: ${relation.column} is null in the draft, and a ${entity.entity.noun.one} needs it.`,
    );
  }
  for (const match of matches) {
    if (match.target === 'region_id' || match.target === 'skills') continue;
    if (match.column.name === above?.column.column?.name) continue;
    add(ownColumn(scope, place, match));
  }
  const region = matches.find(({ target }) => target === 'region_id');
  add(
    coded(
      'region_id',
      findRegion(scope, place, region?.column.name === above?.column.column?.name ? undefined : region),
    ),
  );
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
    taken.forEach((column) => addOrFallBack(columns, column));
  }
  shareCurrency(columns);
  for (const refused of table.columns.filter(({ selectable }) => !selectable))
    findings.push(`The role may not read ${fullName(table, refused.name)}: the draft leaves it out.`);
  const used = new Set(columns.flatMap(({ column }) => (column ? [column.name] : [])));
  const ending = columns.find(({ target }) => target === lastDay)?.column ?? null;
  return {
    entity: name,
    table,
    alias: place.alias,
    columns: ordered(entity, columns),
    offers: findOffers(entity, { ...place, table: readable }, columns),
    joins: scope.joins(),
    conditions: findConditions(scope, place, used, ending),
    findings,
  };
}

function asking(column: DraftColumn, question: string): DraftColumn {
  return { ...column, comments: [...column.comments, `decide: ${question}`] };
}

/** Names of cities as texts are of one kind wherever they stand. */
function isPlainText({ target, column, codes }: DraftColumn): boolean {
  return target === 'region_id' && column?.kind === 'text' && codes?.labelSql === null;
}

/** What the parent has stands in where the record has none: of codes, only those of the same list. */
function addOrFallBack(columns: DraftColumn[], taken: DraftColumn): void {
  const at = columns.findIndex(({ target }) => target === taken.target);
  const own = columns[at];
  if (!own) columns.push(taken);
  // It is the parent's already.
  else if (own.sql === taken.sql) return;
  else if (own.codes && own.codes.id === taken.codes?.id) columns[at] = { ...own, fallback: taken.sql };
  else if (isPlainText(own) && isPlainText(taken)) columns[at] = { ...own, fallback: taken.sql };
}

function keyColumn(place: Place): DraftColumn | null {
  const key = keySql(place);
  if (!key) return null;
  const [only] = key.columns;
  const column =
    key.columns.length === 1 ? (place.table.columns.find(({ name }) => name === only) ?? null) : null;
  const guessed =
    place.table.primaryKey === null ? ['decide: no primary key says so; is it unique and never null?'] : [];
  return {
    target: 'key',
    kind: 'key',
    sql: key.sql,
    column,
    from: key.columns.map((name) => fullName(place.table, name)).join(', '),
    personal: key.columns.some(isPersonalColumn),
    codes: null,
    comments: guessed,
  };
}

function isRequired({ entity }: Draftable, column: string): boolean {
  return entity.columns.some(({ name, required }) => name === column && required === true);
}

function unknownKey(target: string, parent: string): DraftColumn {
  return {
    target,
    kind: 'key',
    sql: NULL_TEXT,
    column: null,
    from: '',
    personal: false,
    codes: null,
    comments: [`decide: nothing was found that names the ${parent}`],
  };
}

/** Address and coordinates by way of the address that the record names. */
function inPlaces(scope: Scope, place: Place, entity: Draftable, add: (column: DraftColumn) => void): void {
  for (const link of scope.links.filter(
    ({ from, to }) => from.oid === place.table.oid && findStem(wordsOf(to.name), PLACES) >= 0,
  )) {
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

/** In the order of the contract, keys first. */
function ordered({ entity, targets }: Draftable, columns: readonly DraftColumn[]): readonly DraftColumn[] {
  const names = ['key', entity.parent?.column ?? '', ...targets.map(({ name }) => name)];
  return [...columns].sort((a, b) => names.indexOf(a.target) - names.indexOf(b.target));
}
