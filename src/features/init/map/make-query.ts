import { type CatalogTable, columnOf, isUnique } from '../../catalog/catalog.js';
import { draftable, type Draftable } from '../draftables.js';
import { type Link, linkOf, linkShare, linksFrom } from '../links.js';
import type { Ranking } from '../rank.js';
import { unaskedMatches } from '../rank/column-matches.js';
import { columnSql } from '../sql-text.js';
import { isPersonalColumn, plainName } from '../words.js';
import {
  type DraftColumn,
  draftColumn,
  type DraftQuery,
  emptyColumn,
  inOrder,
  type Offer,
} from './draft-query.js';
import { ownColumn } from './find-code.js';
import { findColumns } from './find-columns.js';
import { findConditions } from './find-conditions.js';
import { findParentKey } from './find-parent-key.js';
import { createScope, fullName, keySql, type KnownTables, type Place, type Scope } from './scope.js';

/**
 * The draft of one entity's query, from names and types alone; what the values say comes later. The key and the parent's
 * key come first, then what the table and the tables around it have, and at last what a record takes from its parent.
 */
export function makeQuery(name: string, table: CatalogTable, context: DraftContext): DraftQuery {
  const entity = draftable(name);
  const place: Place = { table, alias: entity.alias };
  const scope = createScope(place.alias, context.links, context.known);
  const entities = new Set([...context.chosen.values()].map(({ oid }) => oid));
  const above = parentKey(scope, place, entity, context);
  const sought = new Set(entity.targets.map(({ name: target }) => target));
  const own = findColumns(scope, place, entity, sought, entities).flatMap(endsOfRange).map(inYears);
  const lacking = entity.fromParent.filter((target) => !own.some((each) => each.target === target));
  const parent = entity.entity.parent?.entity;
  const placeAbove = lacking.length > 0 ? above.place() : null;
  const taken =
    placeAbove === null || parent === undefined
      ? []
      : findColumns(scope, placeAbove, draftable(parent), new Set(lacking), entities).map((column) => ({
          ...column,
          comments: [`decide: ${column.target} of its ${draftable(parent).entity.noun.one}`],
        }));
  const columns = withCurrencies([...keyColumn(place), ...above.columns, ...own, ...taken]);
  const used = new Set(columns.flatMap(({ column }) => (column ? [column.name] : [])));
  return {
    entity: name,
    table,
    alias: place.alias,
    columns: inOrder(entity, columns),
    offers: [...otherKeys(scope, place), ...findOffers(entity, scope, place, columns)],
    joins: scope.joins(),
    conditions: findConditions(scope, place, used),
    findings: table.columns
      .filter(({ selectable }) => !selectable)
      .map((column) => `The role may not read ${fullName(table, column.name)}: the draft leaves it out.`),
  };
}

/** What the draft of a query needs to know. */
interface DraftContext {
  readonly links: readonly Link[];
  /** The table chosen for each entity. */
  readonly chosen: ReadonlyMap<string, CatalogTable>;
  readonly known: KnownTables;
  /** Tables that may be of each entity. */
  readonly ranking: Ranking;
}

function keyColumn(place: Place): readonly DraftColumn[] {
  const key = keySql(place);
  if (!key) return [];
  const { primaryKey } = place.table;
  const times = primaryKey?.filter((name) => !key.columns.includes(name)) ?? [];
  const [only, second] = key.columns;
  const line = draftColumn({
    target: 'key',
    kind: 'key',
    sql: key.sql,
    column: second === undefined ? (columnOf(place.table, only) ?? null) : null,
    from: key.columns.map((name) => fullName(place.table, name)).join(', '),
    personal: key.columns.some(isPersonalColumn),
  });
  if (primaryKey === null)
    return [{ ...line, comments: ['decide: no primary key says so; is it unique and never null?'] }];
  const question = `the primary key has ${times.join(', ')}, too, and a time may change; is it unique without?`;
  return [times.length === 0 ? line : { ...line, comments: [`decide: ${question}`] }];
}

/** A number may be given again where a document has an id of its own. */
function otherKeys({ links }: Scope, { table, alias }: Place): readonly Offer[] {
  return table.columns
    .filter(
      (column) =>
        !table.primaryKey?.includes(column.name) &&
        !linkOf(links, table, column.name) &&
        (OF_DOCUMENT.test(plainName(column.name)) ||
          (column.kind === 'uuid' && isUnique(table, column.name))),
    )
    .map((column) => ({
      target: 'key',
      sql: columnSql(alias, column),
      from: fullName(table, column.name),
      question: `does ${column.name} stay when the application writes a record again? If it is unique among the published rows, it is the better key, here and where others name the record`,
    }));
}

const OF_DOCUMENT = /(^|_)document_(id|uuid)$/;

interface ParentKey {
  readonly columns: readonly DraftColumn[];
  /** The parent joined; null: it cannot be. */
  readonly place: () => Place | null;
}

function parentKey(
  scope: Scope,
  place: Place,
  { entity }: Draftable,
  { chosen, ranking, links }: DraftContext,
): ParentKey {
  const relation = entity.parent;
  const parent = relation && chosen.get(relation.entity);
  if (!relation || !parent) return { columns: [], place: () => null };
  const found = findParentKey(scope, place, parent, relation.column);
  if (!found) {
    const question = `no foreign key, no name and no value of ${place.table.name} names ${parent.name}; a ${entity.noun.one} needs it`;
    return { columns: [emptyColumn(relation.column, question)], place: () => null };
  }
  const candidates = new Set(ranking.get(relation.entity)?.map(({ table }) => table.oid));
  const others = linksFrom(links, place.table).filter(
    ({ to }) => to.oid !== parent.oid && candidates.has(to.oid),
  );
  const named = [parent, ...others.map(({ to }) => to)].flatMap((to) => {
    const share = linkShare(place.table, to, links);
    return share === null ? [] : [`${to.name} in ${String(Math.round(100 * share))} % of the rows`];
  });
  const question = `${place.table.name} names ${named.join(', ')}. The draft takes ${parent.name}`;
  const comments = [...found.column.comments, ...(named.length < 2 ? [] : [`decide: ${question}`])];
  return { ...found, columns: [{ ...found.column, comments }] };
}

/** A range has both ends. */
function endsOfRange(found: DraftColumn): readonly DraftColumn[] {
  if (found.column?.kind !== 'range') return [found];
  // Postgres stores [18,35] of whole numbers and days as [18,36).
  const upper = `upper(${found.sql})${/int|date/.test(found.column.type) ? ' - 1' : ''}`;
  const other = OTHER_END[found.target];
  if (other === undefined) return [{ ...found, sql: upper }];
  return [
    { ...found, sql: `lower(${found.sql})` },
    { ...found, target: other, sql: upper },
  ];
}

const OTHER_END: Readonly<Record<string, string>> = {
  min_salary_amount: 'max_salary_amount',
  min_age: 'max_age',
  start_date: 'finish_date',
};

/** Whole years there. */
function inYears(found: DraftColumn): DraftColumn {
  const isMonths = /month|bulan|bln/.test(plainName(found.column?.name ?? ''));
  if (found.target !== 'min_experience' || !isMonths || found.column?.kind === 'text') return found;
  return { ...found, sql: `${found.sql} / 12`, comments: ['decide: months here, whole years there'] };
}

/** One column with the currency is that of both amounts. */
function withCurrencies(columns: readonly DraftColumn[]): readonly DraftColumn[] {
  const has = (name: string) => columns.some(({ target }) => target === name);
  const currency = columns.find(({ target }) => target.endsWith('_salary_currency'));
  const lacking = ['min', 'max'].filter(
    (end) => has(`${end}_salary_amount`) && !has(`${end}_salary_currency`),
  );
  if (!currency) return columns;
  return [...columns, ...lacking.map((end) => ({ ...currency, target: `${end}_salary_currency` }))];
}

/** Columns that fill what nothing else fills, if a person says that they may. */
function findOffers(
  entity: Draftable,
  scope: Scope,
  { table, alias }: Place,
  columns: readonly DraftColumn[],
): readonly Offer[] {
  const used = columns.flatMap(({ column }) => column?.name ?? []);
  const free = table.columns.filter(({ selectable, name }) => selectable && !used.includes(name));
  return unaskedMatches(entity, { ...table, columns: free })
    .filter(({ target }) => !columns.some((column) => column.target === target))
    .map(({ question, ...match }) => {
      const { target, sql, from } = ownColumn(scope, { table, alias }, match);
      return { target, sql, from, question };
    });
}
